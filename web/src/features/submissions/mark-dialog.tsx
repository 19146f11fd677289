import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { useForm } from 'react-hook-form'
import { Button, Dialog, DialogActions, TextArea, TextInput, showAlert } from '@/components/ui'
import { dropDraft, readDraft } from '@/lib/drafts'
import { useLive } from '@/lib/live-events'
import { explain, isProblem } from '@/lib/problem'
import { showFieldErrors } from '@/lib/server-errors'
import { isWebAddress, lengthOf } from '@/lib/text'
import { useDraft } from '@/lib/use-draft'
import { gradeSubmission } from './mutations'
import type { PendingSubmission } from './queries'

interface MarkForm {
  marks: string
  feedback: string
}

interface MarkDialogProps {
  submission: PendingSubmission
  onClose: () => void
}

/** What somebody else may do to the submission while it is read here. */
const happened: Record<string, string> = {
  'submission.graded': 'Someone has marked this submission meanwhile. The first mark counts.',
  'submission.withdrawn': 'This submission has been taken back meanwhile.',
  'submission.changed':
    'This submission has been changed meanwhile. Close this and open it again to see how.',
}

/** Grades one submission. The first grade wins; whoever comes second is told so. */
export default function MarkDialog({ submission, onClose }: MarkDialogProps) {
  const { _id: id, docsLink, note, marks: total } = submission
  const draft = `mark ${id}`
  const form = useForm<MarkForm>({
    defaultValues: { marks: '', feedback: '', ...readDraft<MarkForm>(draft) },
  })
  useDraft(draft, form)
  const { mutateAsync } = useMutation(gradeSubmission)
  const { register, handleSubmit, setError, formState } = form
  const { errors, isSubmitting } = formState
  const [meanwhile, setMeanwhile] = useState('')
  useLive((event) => {
    if (event.id === id && !isSubmitting) setMeanwhile(happened[event.kind] ?? '')
  })

  async function gone(message: { title: string; text: string; error?: boolean }) {
    dropDraft(draft)
    // Closed first, so that the focus it gives back does not leave the message that follows.
    flushSync(onClose)
    await showAlert(message)
  }

  const submit = handleSubmit(async ({ marks, feedback }) => {
    if (lengthOf(feedback) > 5000) {
      setError('feedback', { message: 'At most 5,000 characters.' }, { shouldFocus: true })
      return
    }
    try {
      await mutateAsync({ id, marks: Number(marks), feedback: feedback.trim() })
    } catch (error) {
      if (isProblem(error, 'already-graded')) {
        await gone({ title: 'Error', text: 'Someone has already marked this submission.', error: true })
      } else if (!showFieldErrors(error, ['marks', 'feedback'], setError)) {
        void showAlert({ title: 'Error', text: 'Something went wrong', detail: explain(error), error: true })
      }
      return
    }
    await gone({ title: 'Success', text: 'Assignment marked successfully!' })
  })

  return (
    <Dialog title="Mark Assignment" onClose={onClose}>
      <div role="status">{meanwhile && <p className="mb-4 font-semibold text-red">{meanwhile}</p>}</div>
      <div className="grid gap-4">
        {docsLink && isWebAddress(docsLink) && (
          <a href={docsLink} target="_blank" rel="noopener noreferrer" className="link justify-self-start">
            View Document
          </a>
        )}
        <p
          dir="auto"
          className="max-h-48 overflow-y-auto border-s-4 border-line ps-4 whitespace-pre-line text-soft"
        >
          {note?.trim() || 'No notes provided.'}
        </p>
      </div>
      <form noValidate onSubmit={(event) => void submit(event)} className="mt-6 grid gap-5">
        <TextInput
          label="Marks"
          hint={typeof total === 'number' ? `A whole number from 0 to ${total}.` : 'A whole number.'}
          type="number"
          inputMode="numeric"
          min={0}
          max={total ?? undefined}
          step={1}
          {...register('marks', {
            validate: (value) =>
              (/^\d+$/.test(value.trim()) && Number(value) <= (total ?? Infinity)) ||
              (typeof total === 'number' ? `A whole number from 0 to ${total}.` : 'A whole number.'),
          })}
          error={errors.marks?.message}
        />
        <TextArea
          label="Feedback"
          hint="Optional: what was good, and what to try next."
          {...register('feedback')}
          error={errors.feedback?.message}
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
