import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Button, Dialog, DialogActions, Field, controlClass, toast } from '@/components/ui'
import { explain } from '@/lib/problem'
import { sendRoster, type RosterResult } from '@/entities/circle/members'

interface Checked {
  csv: string
  result: RosterResult
}

/** Adds and changes members by a file. The server says first what that would do. */
export function RosterDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { mutateAsync, isPending } = useMutation(sendRoster)
  const [checked, setChecked] = useState<Checked | null>(null)
  const [failure, setFailure] = useState('')
  const resultId = useId()

  async function check(file: File | undefined) {
    setChecked(null)
    setFailure('')
    if (!file) return
    try {
      const csv = await file.text()
      setChecked({ csv, result: await mutateAsync({ id, csv, dryRun: true }) })
    } catch (error) {
      setFailure(explain(error))
    }
  }

  async function upload() {
    if (!checked) return
    try {
      await mutateAsync({ id, csv: checked.csv, dryRun: false })
    } catch (error) {
      setFailure(explain(error))
      return
    }
    onClose()
    toast('Roster uploaded')
  }

  const refused = checked?.result.refused ?? []
  const isReady = checked !== null && refused.length === 0
  return (
    <Dialog title="Upload a roster" onClose={onClose}>
      <p className="-mt-2 mb-5 text-soft">
        A CSV file whose first line names its columns: <b>email</b>, and if you like <b>name</b>, <b>role</b>{' '}
        and <b>label</b>. OneRoster’s <i>users.csv</i> works too. Nothing changes before you press Upload.
      </p>
      <Field label="File">
        {(wiring) => (
          <input
            {...wiring}
            type="file"
            accept=".csv,text/csv"
            className={controlClass}
            onChange={(event) => void check(event.currentTarget.files?.[0])}
          />
        )}
      </Field>
      <div id={resultId} role="status" className="mt-5 grid gap-4">
        {isPending && !checked && <p className="text-soft">Checking the file…</p>}
        {failure && <p className="font-semibold text-red">{failure}</p>}
        {checked && <Outcome result={checked.result} />}
      </div>
      <DialogActions>
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button
          busy={isPending}
          aria-disabled={!isReady || undefined}
          aria-describedby={resultId}
          onClick={() => isReady && void upload()}
        >
          Upload
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** As many lines as are corrected before the file is chosen again. */
const shownLines = 20

/** What a file would do, or its lines that stand in the way. */
function Outcome({ result: { added, invited, changed, unchanged, refused } }: { result: RosterResult }) {
  if (refused.length > 0) {
    return (
      <div>
        <p className="font-semibold text-red">
          {refused.length === 1
            ? 'One line must be corrected first.'
            : `${refused.length} lines must be corrected first.`}
        </p>
        <ul aria-label="Refused lines" className="mt-2 grid gap-1 text-sm">
          {refused.slice(0, shownLines).map(({ line, reason }) => (
            <li key={`${line} ${reason}`} className="wrap-anywhere">
              <b className="tabular-nums">Line {line}:</b> {reason}
            </li>
          ))}
          {refused.length > shownLines && <li>and {refused.length - shownLines} more</li>}
        </ul>
      </div>
    )
  }
  const facts = [
    { count: added, what: 'join at once' },
    { count: invited, what: 'get an invitation by email' },
    { count: changed, what: 'change' },
    { count: unchanged, what: 'stay as they are' },
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
