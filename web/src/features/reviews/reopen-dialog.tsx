import { useMutation, useQuery } from '@tanstack/react-query'
import { flushSync } from 'react-dom'
import { useForm, useWatch } from 'react-hook-form'
import {
  Button,
  Clamped,
  Dialog,
  DialogActions,
  ExternalIcon,
  TextArea,
  TextInput,
  buttonClass,
  showAlert,
} from '@/components/ui'
import { explain } from '@/lib/problem'
import { showFieldErrors } from '@/lib/server-errors'
import { isWebAddress, lengthOf } from '@/lib/text'
import { reopen, workQuery, type Decidable, type ReopenInput } from './deciding'

interface ReopenForm {
  action: ReopenInput['action']
  mark: string
  reason: string
}

/** Asks for new reviewers, or for a mark of the creator's own, and why. */
export default function ReopenDialog({ result, onClose }: { result: Decidable; onClose: () => void }) {
  const { _id: id, marks: total, appeal, reopened, unattended = false } = result
  const isOpen = Boolean(appeal ?? reopened)
  const { register, handleSubmit, setError, formState, control } = useForm<ReopenForm>({
    defaultValues: { action: isOpen || unattended ? 'set-mark' : 'new-reviewers', mark: '', reason: '' },
  })
  const action = useWatch({ control, name: 'action' })
  const { errors, isSubmitting } = formState
  const { mutateAsync } = useMutation(reopen)

  const submit = handleSubmit(async ({ mark, reason }) => {
    const words = reason.trim()
    if (lengthOf(words) < 1 || lengthOf(words) > 500) {
      setError('reason', { message: words ? 'At most 500 characters.' : 'Say why.' }, { shouldFocus: true })
      return
    }
    try {
      await mutateAsync({
        id,
        input: { action, reason: words, ...(action === 'set-mark' && { mark: Number(mark) }) },
      })
    } catch (error) {
      if (showFieldErrors(error, ['mark', 'reason'], setError)) return
      flushSync(onClose)
      void showAlert({ title: 'Error', text: explain(error), error: true })
      return
    }
    flushSync(onClose)
    void showAlert(
      action === 'set-mark'
        ? { title: 'Success!', text: 'The submitter sees the mark and your reason.', circled: mark.trim() }
        : {
            title: 'Success!',
            text: 'Two new reviewers will look at it. The mark stands until then.',
          },
    )
  })

  return (
    <Dialog title="Reopen" onClose={onClose}>
      <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
        {isOpen && <Work id={id} />}
        <fieldset className="grid gap-1">
          <legend className="mb-1 text-sm font-semibold">What is to happen?</legend>
          {!unattended && (
            <label className="flex min-h-11 items-center gap-3">
              <input
                type="radio"
                value="new-reviewers"
                {...register('action')}
                className="size-5 shrink-0 accent-green"
              />
              Two new reviewers look at it
            </label>
          )}
          <label className="flex min-h-11 items-center gap-3">
            <input
              type="radio"
              value="set-mark"
              {...register('action')}
              className="size-5 shrink-0 accent-green"
            />
            I set the mark
          </label>
        </fieldset>
        {action === 'set-mark' && (
          <TextInput
            label="Mark"
            hint={`A whole number from 0 to ${total}.`}
            type="number"
            inputMode="numeric"
            min={0}
            max={total}
            step={1}
            {...register('mark', {
              validate: (value) =>
                (/^\d+$/.test(value.trim()) && Number(value) <= total) ||
                `A whole number from 0 to ${total}.`,
            })}
            error={errors.mark?.message}
          />
        )}
        <TextArea
          label="Reason"
          hint="Its submitter reads it, and it stays in the history of the mark."
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

/** What is to be decided about, for as long as that is open. */
function Work({ id }: { id: string }) {
  const { data: work, error } = useQuery(workQuery(id))
  return (
    <div className="grid min-h-11 gap-3 border-b border-line pb-5" aria-busy={work === undefined && !error}>
      {work && isWebAddress(work.docsLink) && (
        <a
          href={work.docsLink}
          target="_blank"
          rel="noopener noreferrer"
          className={buttonClass({ variant: 'quiet', className: 'justify-self-start' })}
        >
          View Document
          <ExternalIcon />
        </a>
      )}
      {work?.note && <Clamped>{work.note}</Clamped>}
      {error && <p role="alert">The work could not be fetched. {explain(error)}</p>}
    </div>
  )
}
