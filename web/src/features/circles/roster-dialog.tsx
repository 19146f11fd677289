import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Button, Checkbox, Dialog, DialogActions, Field, Select, controlClass, toast } from '@/components/ui'
import { explain } from '@/lib/problem'
import { sendRoster, type RosterResult } from '@/entities/circle/members'

interface Checked {
  name: string
  file: Blob
  columns?: string | undefined
  result: RosterResult
}

/** Adds and changes members by a file. The server says first what that would do. */
export function RosterDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { mutateAsync, isPending } = useMutation(sendRoster)
  const [checked, setChecked] = useState<Checked | null>(null)
  const [isEnding, setEnding] = useState(false)
  const [failure, setFailure] = useState('')
  const resultId = useId()

  async function check(name: string, file: Blob, columns?: string) {
    setFailure('')
    setEnding(false)
    try {
      setChecked({ name, file, columns, result: await mutateAsync({ id, file, columns, dryRun: true }) })
    } catch (error) {
      setFailure(explain(error))
    }
  }

  async function choose(input: HTMLInputElement) {
    const [chosen] = input.files ?? []
    if (!chosen) return // the file chooser was left: what was checked stays
    setChecked(null)
    // A copy: the program that made the file may write it again.
    const bytes = await chosen.arrayBuffer().catch(() => null)
    input.value = '' // so that the same file can be chosen again, once it is corrected
    if (bytes) await check(chosen.name, new Blob([bytes]))
    else setFailure(t`The file cannot be read. Choose it again.`)
  }

  async function upload() {
    if (!checked) return
    const { file, columns, result } = checked
    try {
      await mutateAsync({ id, file, columns, dryRun: false, end: isEnding ? result.missing?.key : undefined })
    } catch (error) {
      setFailure(explain(error))
      return
    }
    onClose()
    toast(t`Roster uploaded`)
  }

  const refused = checked?.result.refused ?? []
  const isReady = checked !== null && refused.length === 0
  return (
    <Dialog title={t`Upload a roster`} onClose={onClose}>
      <p className="-mt-2 mb-5 text-soft">
        <Introduction />
      </p>
      <Field label={t`File`}>
        {(wiring) => (
          <input
            {...wiring}
            type="file"
            accept=".csv,.txt,.tsv,text/csv,text/plain,text/tab-separated-values"
            className={controlClass}
            onChange={(event) => void choose(event.currentTarget)}
          />
        )}
      </Field>
      <div id={resultId} role="status" className="mt-5 grid gap-4">
        {isPending && !checked && <p className="text-soft">{t`Checking the file…`}</p>}
        {failure && <p className="font-semibold text-red">{failure}</p>}
        {checked && (
          <p className="font-semibold wrap-anywhere">
            <bdi>{checked.name}</bdi>
          </p>
        )}
        {checked && !checked.result.columns && <Outcome result={checked.result} />}
      </div>
      {checked?.result.columns && (
        <Columns
          key={checked.name}
          columns={checked.result.columns}
          onChoose={(columns) => void check(checked.name, checked.file, columns)}
        />
      )}
      {isReady && checked.result.missing && (
        <Missing missing={checked.result.missing} isEnding={isEnding} onEnding={setEnding} />
      )}
      <DialogActions>
        <Button variant="quiet" onClick={onClose}>
          {t`Cancel`}
        </Button>
        <Button
          busy={isPending}
          aria-disabled={!isReady || undefined}
          aria-describedby={resultId}
          onClick={() => isReady && void upload()}
        >
          {t`Upload`}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** What a roster is. The names of its columns are the same in every language. */
function Introduction() {
  const [email, name, role, label] = ['email', 'name', 'role', 'label'].map((column) => (
    <b key={column}>{column}</b>
  ))
  return (
    <Trans>
      A CSV file whose first line names its columns: {email}, and if you like {name}, {role} and {label}.
      Lists from Moodle, Canvas, Google, Outlook and OneRoster work too. Nothing changes before you press
      Upload.
    </Trans>
  )
}

interface ColumnsProps {
  columns: NonNullable<RosterResult['columns']>
  onChoose: (columns: string) => void
}

/** Asks which columns have the addresses and the names. */
function Columns({ columns, onChoose }: ColumnsProps) {
  const looksLikeAddress = columns.findIndex(({ example }) => example?.includes('@'))
  const [email, setEmail] = useState(looksLikeAddress < 0 ? '' : String(looksLikeAddress + 1))
  const [name, setName] = useState('')
  const options = columns.map(({ heading, example }, at) => (
    // oxlint-disable-next-line react/no-array-index-key -- headings may repeat
    <option key={at} value={at + 1}>
      {[heading || t`Column ${{ number: at + 1 }}`, example].filter(Boolean).join(': ')}
    </option>
  ))
  return (
    <div className="mt-2 grid gap-4">
      <Select
        label={t`Which column is the email address?`}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      >
        <option value="">{t`Choose a column`}</option>
        {options}
      </Select>
      <Select
        label={t`Which column is the name?`}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      >
        <option value="">{t`As the file says, or none`}</option>
        {options}
      </Select>
      <div>
        <Button
          variant="quiet"
          aria-disabled={email === '' || undefined}
          onClick={() => email && onChoose(`email=#${email}${name && `,name=#${name}`}`)}
        >
          {t`Use these columns`}
        </Button>
      </div>
    </div>
  )
}

/** As many lines as are corrected before the file is chosen again. */
const shownLines = 20

interface MissingProps {
  missing: NonNullable<RosterResult['missing']>
  isEnding: boolean
  onEnding: (isEnding: boolean) => void
}

/** The members who are not in the file. Their memberships end only if the user says so. */
function Missing({ missing: { total, data }, isEnding, onEnding }: MissingProps) {
  return (
    <div className="mt-5 grid gap-3">
      <p className="font-semibold">
        {plural(total, {
          one: 'One member is not in this file.',
          other: '# members are not in this file.',
        })}
      </p>
      <ul aria-label={t`Not in this file`} className="grid max-h-60 gap-1 overflow-auto text-sm">
        {data.map(({ userId, displayName, name, email }) => (
          <li key={userId} className="wrap-anywhere">
            <bdi>{name || displayName}</bdi>, <bdi className="text-soft">{email}</bdi>
          </li>
        ))}
      </ul>
      {data.length === total && (
        <Checkbox
          label={plural(total, { one: 'End this membership', other: 'End these memberships' })}
          checked={isEnding}
          onChange={(event) => onEnding(event.currentTarget.checked)}
        />
      )}
    </div>
  )
}

/** What a file would do, or its lines that stand in the way. */
function Outcome({ result: { added, invited, changed, unchanged, refused } }: { result: RosterResult }) {
  const lines = refused.length
  if (lines > 0) {
    return (
      <div>
        <p className="font-semibold text-red">
          {plural(lines, {
            one: 'One line must be corrected first.',
            other: `${lines} lines must be corrected first.`,
          })}
        </p>
        <ul aria-label={t`Refused lines`} className="mt-2 grid gap-1 text-sm">
          {refused.slice(0, shownLines).map(({ line, reason }) => (
            <li key={`${line} ${reason}`} className="wrap-anywhere">
              <b className="tabular-nums">{t`Line ${line}:`}</b> {reason}
            </li>
          ))}
          {lines > shownLines && <li>{t`and ${{ others: lines - shownLines }} more`}</li>}
        </ul>
      </div>
    )
  }
  const facts = [
    { count: added, what: plural(added, { one: 'join at once', other: 'join at once' }) },
    {
      count: invited,
      what: plural(invited, { one: 'get an invitation by email', other: 'get an invitation by email' }),
    },
    { count: changed, what: plural(changed, { one: 'change', other: 'change' }) },
    { count: unchanged, what: plural(unchanged, { one: 'stay as they are', other: 'stay as they are' }) },
  ]
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1">
      {facts.map(({ count, what }) => (
        <div key={what} className="col-span-2 grid grid-cols-subgrid">
          <dt className="order-2">{what}</dt>
          <dd className="text-end font-display font-bold tabular-nums">{count}</dd>
        </div>
      ))}
    </dl>
  )
}
