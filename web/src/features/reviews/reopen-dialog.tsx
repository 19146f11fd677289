import { useMutation, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useWatch, type UseFormRegister } from 'react-hook-form'
import { Clamped, DialogForm, ExternalIcon, ReasonInput, buttonClass, showAlert } from '@/components/ui'
import { explain } from '@/lib/problem'
import { reason, wholeNumber } from '@/lib/rules'
import { isWebAddress } from '@/lib/text'
import { useSchemaForm } from '@/lib/use-schema-form'
import { z } from '@/lib/zod'
import { MarkInput } from './decision-fields'
import { decisionOf, reopen, workQuery, type Decidable, type ReopenInput } from './deciding'

interface ReopenForm {
  action: ReopenInput['action']
  mark: string
  reason: string
}

/** Only a mark of the creator's own has to be one. */
function schemaOf(total: number): z.ZodMiniType<ReopenForm, ReopenForm> {
  const mark = wholeNumber(0, total)
  return z
    .object({ action: z.enum(['new-reviewers', 'set-mark']), mark: z.string(), reason })
    .check((form) => {
      const { action, mark: typed } = form.value
      const fault = action === 'set-mark' && z.safeParse(mark, typed).error?.issues[0]
      if (fault) form.issues.push({ code: 'custom', message: fault.message, input: typed, path: ['mark'] })
    })
}

/** Requests new reviewers, or sets the creator's own mark, with a reason. */
export default function ReopenDialog({ result, onClose }: { result: Decidable; onClose: () => void }) {
  const { _id: id, marks: total, appeal, reopened, appealReason, status, may } = result
  const isOpen = Boolean(appeal ?? reopened)
  const draft = `reopen ${id}`
  const form = useSchemaForm<ReopenForm>({
    schema: useMemo(() => schemaOf(total), [total]),
    values: { action: may.waits || !may.reopen ? 'set-mark' : 'new-reviewers', mark: '', reason: '' },
    draft,
  })
  const { register, formState, control } = form
  const { errors } = formState
  const action = useWatch({ control, name: 'action' })
  const { mutateAsync } = useMutation(reopen)
  // Registered from the start: of the fields with faults, the one registered first gets the focus.
  const markField = register('mark')

  return (
    <DialogForm
      title={decisionOf(result)}
      form={form}
      draft={draft}
      fields={['mark', 'reason']}
      send={({ mark, reason: words }) =>
        mutateAsync({
          id,
          input: { action, reason: words, ...(action === 'set-mark' && { mark: Number(mark) }) },
        })
      }
      onClose={onClose}
      onSent={({ mark }) =>
        void showAlert(
          action === 'set-mark'
            ? {
                title: 'Success!',
                text: 'The submitter sees the mark and your reason.',
                circled: mark.trim(),
              }
            : {
                title: 'Success!',
                text:
                  status === 'completed'
                    ? 'Two new reviewers will look at it. The mark stands until then.'
                    : 'Two new reviewers will look at it.',
              },
        )
      }
    >
      {isOpen && <Work id={id} />}
      {appealReason && (
        <p className="border-s-4 border-line ps-4">
          <b>Why the submitter appealed:</b>{' '}
          <bdi className="whitespace-pre-wrap wrap-anywhere">{appealReason}</bdi>
        </p>
      )}
      <fieldset className="grid gap-1">
        <legend className="mb-1 text-sm font-semibold">What should happen?</legend>
        {may.reopen && (
          <Choice label="Two new reviewers look at it" value="new-reviewers" register={register} />
        )}
        <Choice label="I set the mark" value="set-mark" register={register} />
      </fieldset>
      {action === 'set-mark' && <MarkInput total={total} {...markField} error={errors.mark?.message} />}
      <ReasonInput
        hint="The submitter can read it, and it stays in the history of the mark."
        {...register('reason')}
        error={errors.reason?.message}
      />
    </DialogForm>
  )
}

interface ChoiceProps {
  label: string
  value: ReopenForm['action']
  register: UseFormRegister<ReopenForm>
}

function Choice({ label, value, register }: ChoiceProps) {
  return (
    <label className="flex min-h-11 items-center gap-3">
      <input type="radio" value={value} {...register('action')} className="size-5 shrink-0 accent-green" />
      {label}
    </label>
  )
}

/** The work to decide about, while the decision is open. */
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
      {error && <p role="alert">The work could not be loaded. {explain(error)}</p>}
    </div>
  )
}
