import { flushSync } from 'react-dom'
import { useForm } from 'react-hook-form'
import { Button, Dialog, DialogActions, TextArea, TextInput, alertBox } from '@/components/ui'
import { dropDraft, readDraft } from '@/lib/drafts'
import { explain } from '@/lib/problem'
import { showFieldErrors } from '@/lib/server-errors'
import { isWebAddress, lengthOf } from '@/lib/text'
import { useDraft } from '@/lib/use-draft'
import { submitWork } from './api'

interface SubmitForm {
  docsLink: string
  note: string
}

/** Hands in a link to a document, with a short note. */
export default function SubmitDialog({
  assignmentId,
  onClose,
}: {
  assignmentId: string
  onClose: () => void
}) {
  const draft = `submit ${assignmentId}`
  const form = useForm<SubmitForm>({
    defaultValues: { docsLink: '', note: '', ...readDraft<SubmitForm>(draft) },
  })
  useDraft(draft, form)
  const { register, handleSubmit, setError, setFocus, setValue, formState } = form
  const { errors, isSubmitting } = formState

  const submit = handleSubmit(async ({ docsLink, note }) => {
    const link = docsLink.trim()
    if (!link) {
      void alertBox({ title: 'Error', text: 'Google Docs link is required', error: true }).then(() =>
        setFocus('docsLink'),
      )
      return
    }
    if (!isWebAddress(link)) {
      setError('docsLink', { message: 'A web address that starts with https://.' }, { shouldFocus: true })
      return
    }
    if (lengthOf(note) > 2000) {
      setError('note', { message: 'At most 2,000 characters.' }, { shouldFocus: true })
      return
    }
    try {
      await submitWork({ assignmentId, docsLink: link, note: note.trim() })
    } catch (error) {
      if (showFieldErrors(error, ['docsLink', 'note'], setError)) return
      void alertBox({
        title: 'Error',
        text: 'Submission failed. Please try again.',
        detail: explain(error),
        error: true,
      })
      return
    }
    dropDraft(draft)
    // Closed first, so that the focus it gives back does not leave the box that follows.
    flushSync(onClose)
    void alertBox({ title: 'Success!', text: 'Assignment submitted successfully!' })
  })

  return (
    <Dialog title="Submit Assignment" onClose={onClose}>
      <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
        <TextInput
          label="Google Docs Link"
          hint="Anyone with the link must be able to read it."
          type="url"
          placeholder="https://docs.google.com/document/…"
          autoComplete="off"
          {...register('docsLink')}
          onPaste={(event) => {
            // A link copied out of a text often brings blanks along.
            const { selectionStart, selectionEnd, value } = event.currentTarget
            const replacesAll = !value || (selectionStart === 0 && selectionEnd === value.length)
            if (!replacesAll) return
            event.preventDefault()
            setValue('docsLink', event.clipboardData.getData('text').trim(), { shouldDirty: true })
          }}
          error={errors.docsLink?.message}
        />
        <TextArea
          label="Note"
          hint="Optional: what whoever grades it should know."
          {...register('note')}
          error={errors.note?.message}
          dir="auto"
        />
        <DialogActions>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={isSubmitting}>
            {isSubmitting ? 'Submitting...' : 'Submit'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
