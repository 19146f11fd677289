import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button, Checkbox, Dialog, DialogActions, failed } from '@/components/ui'
import { save as saveFile } from '@/lib/save'
import { fetchFile, type File } from './queries'

interface Form {
  form: NonNullable<File['form']>
  label: string
  hint: string
}

const forms = (): Form[] => [
  { form: 'wide', label: t`One table`, hint: t`A line for each student and a column for each assignment.` },
  {
    form: 'canvas',
    label: t`For Canvas`,
    hint: t`Canvas finds students by SIS Login ID, here the email address, or by SIS User ID, the sourcedId of your roster.`,
  },
  {
    form: 'moodle',
    label: t`For Moodle`,
    hint: t`In Moodle, map “Email address” to the email address, or “ID number”, the sourcedId of your roster, to the ID number.`,
  },
  {
    form: 'long',
    label: t`A line for each mark`,
    hint: t`With states, lateness and reviews, for calculations.`,
  },
]

/** Offers the marks of a circle as a file, in the forms that spreadsheets and grade books read. */
export function MarksFile({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="quiet" size="sm" onClick={() => setOpen(true)}>
        {t`Marks as a file`}
      </Button>
      {isOpen && <MarksFileDialog id={id} onClose={() => setOpen(false)} />}
    </>
  )
}

function MarksFileDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const [students, setStudents] = useState(true)
  const [codes, setCodes] = useState(false)
  const { mutateAsync, isPending, variables } = useMutation(fetchFile)

  async function save(form: Form['form']) {
    try {
      const file = await mutateAsync({ of: 'circle', id, what: 'marks', codes, form, students })
      saveFile(file, form === 'wide' || form === 'long' ? 'marks.csv' : `marks for ${form}.csv`)
    } catch (error) {
      void failed(error)
    }
  }

  return (
    <Dialog title={t`Marks as a file`} onClose={onClose}>
      <div className="grid gap-2">
        <Checkbox
          label={t`Students only`}
          checked={students}
          onChange={(event) => setStudents(event.currentTarget.checked)}
        />
        <Checkbox
          label={t`Codes instead of names`}
          checked={codes}
          onChange={(event) => setCodes(event.currentTarget.checked)}
        />
      </div>
      <ul className="mt-5 grid gap-4">
        {forms()
          .filter(({ form }) => !codes || form === 'wide' || form === 'long')
          .map(({ form, label, hint }) => (
            <li key={form} className="grid justify-items-start gap-1">
              <Button
                variant="quiet"
                busy={isPending && variables.form === form}
                aria-describedby={`file-${form}`}
                onClick={() => void save(form)}
              >
                {label}
              </Button>
              <span id={`file-${form}`} className="text-sm text-soft">
                {hint}
              </span>
            </li>
          ))}
      </ul>
      <p className="mt-5 text-sm text-soft">
        {t`Students who have left and have a mark are in the file, marked as left.`}
      </p>
      <DialogActions>
        <Button variant="quiet" onClick={onClose}>
          {t`Close`}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
