import { flushSync } from 'react-dom'
import { useForm } from 'react-hook-form'
import { Button, Dialog, DialogActions, TextArea, showAlert } from '@/components/ui'
import { explain } from '@/lib/problem'
import { showFieldErrors } from '@/lib/server-errors'
import { lengthOf } from '@/lib/text'

interface ReasonDialogProps {
  title: string
  hint: string
  /** Sends it; throws what the server refused. */
  send: (reason: string) => Promise<void>
  onClose: () => void
  /** It is sent, and the dialog is closed. */
  onSent: () => void
}

/** Asks why. */
export function ReasonDialog({ title, hint, send, onClose, onSent }: ReasonDialogProps) {
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { reason: '' } })
  const { errors, isSubmitting } = formState
  const submit = handleSubmit(async ({ reason }) => {
    const length = lengthOf(reason.trim())
    if (length < 1 || length > 500) {
      setError(
        'reason',
        { message: length < 1 ? 'Say why.' : 'At most 500 characters.' },
        { shouldFocus: true },
      )
      return
    }
    try {
      await send(reason.trim())
    } catch (error) {
      if (showFieldErrors(error, ['reason'], setError)) return
      flushSync(onClose)
      void showAlert({ title: 'Error', text: explain(error), error: true })
      return
    }
    // Closed first, so that the focus it gives back does not leave the message that follows.
    flushSync(onClose)
    onSent()
  })
  return (
    <Dialog title={title} onClose={onClose}>
      <form noValidate onSubmit={(event) => void submit(event)}>
        <TextArea
          label="Reason"
          hint={hint}
          {...register('reason')}
          error={errors.reason?.message}
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
