import { useMutation } from '@tanstack/react-query'
import { flushSync } from 'react-dom'
import { useForm } from 'react-hook-form'
import { Button, Dialog, DialogActions, TextArea, TextInput, showAlert, toast } from '@/components/ui'
import { explain } from '@/lib/problem'
import { showFieldErrors } from '@/lib/server-errors'
import { isWebAddress, lengthOf } from '@/lib/text'
import { saveExemplar, type Exemplar } from './exemplars-query'

interface ExemplarDialogProps {
  assignmentId: string
  /** The mark it may have at most. */
  total: number
  /** The one to change; none for a new one. */
  exemplar: Exemplar | undefined
  onClose: () => void
}

/** Hands in sample work with its known mark, or changes what is known of it. */
export default function ExemplarDialog({ assignmentId, total, exemplar, onClose }: ExemplarDialogProps) {
  const { register, handleSubmit, setError, formState } = useForm({
    defaultValues: {
      docsLink: '',
      note: '',
      mark: exemplar ? String(exemplar.mark) : '',
      reason: exemplar?.reason ?? '',
    },
  })
  const { errors, isSubmitting } = formState
  const { mutateAsync } = useMutation(saveExemplar)
  const most = exemplar?.marks ?? total
  const markHint = `A whole number from 0 to ${most}.`

  const submit = handleSubmit(async ({ docsLink, note, mark, reason }) => {
    const input = { docsLink: docsLink.trim(), note: note.trim(), mark: Number(mark), reason: reason.trim() }
    try {
      await mutateAsync({ assignmentId, exemplar, input })
    } catch (error) {
      if (showFieldErrors(error, ['docsLink', 'note', 'mark', 'reason'], setError)) return
      void showAlert({ title: 'Error', text: explain(error), error: true })
      return
    }
    flushSync(onClose)
    void toast(exemplar ? 'Exemplar changed' : 'Exemplar handed in')
  })

  return (
    <Dialog title="Exemplar" onClose={onClose}>
      <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
        {!exemplar && (
          <>
            <TextInput
              label="Google Docs Link"
              hint="As a submitter would hand it in, without a name in it."
              type="url"
              placeholder="https://"
              {...register('docsLink', {
                validate: (value) =>
                  isWebAddress(value.trim()) || 'A web address that starts with http:// or https://.',
              })}
              error={errors.docsLink?.message}
            />
            <TextArea
              label="Note"
              hint="Optional."
              rows={2}
              {...register('note', { maxLength: { value: 2000, message: 'At most 2,000 characters.' } })}
              error={errors.note?.message}
              dir="auto"
            />
          </>
        )}
        <TextInput
          label="Mark"
          hint={markHint}
          type="number"
          inputMode="numeric"
          min={0}
          max={most}
          step={1}
          {...register('mark', {
            validate: (value) => (/^\d+$/.test(value.trim()) && Number(value) <= most) || markHint,
          })}
          error={errors.mark?.message}
        />
        <TextArea
          label="Reason"
          hint="Why it gets that mark. Whoever has reviewed it reads this."
          rows={3}
          {...register('reason', {
            validate: (value) => {
              const length = lengthOf(value.trim())
              return (length >= 1 && length <= 500) || (length ? 'At most 500 characters.' : 'Say why.')
            },
          })}
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
