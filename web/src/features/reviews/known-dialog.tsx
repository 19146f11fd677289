import { useMutation } from '@tanstack/react-query'
import { useMemo } from 'react'
import { DialogForm, ReasonInput, showAlert } from '@/components/ui'
import { reason, wholeNumber } from '@/lib/rules'
import { useSchemaForm } from '@/lib/use-schema-form'
import { z } from '@/lib/zod'
import { MarkInput } from './decision-fields'
import { markKnown, type Decidable } from './deciding'

interface KnownForm {
  mark: string
  reason: string
}

/** Marks a submission as known work. */
export default function KnownDialog({ result, onClose }: { result: Decidable; onClose: () => void }) {
  const { _id: id, marks: total } = result
  const draft = `known ${id}`
  const form = useSchemaForm<KnownForm>({
    schema: useMemo(() => z.object({ mark: wholeNumber(0, total), reason }), [total]),
    values: { mark: '', reason: '' },
    draft,
  })
  const { register, formState } = form
  const { errors } = formState
  const { mutateAsync } = useMutation(markKnown)
  return (
    <DialogForm
      title="Mark it myself"
      form={form}
      draft={draft}
      fields={['mark', 'reason']}
      send={({ mark, reason: words }) => mutateAsync({ id, input: { mark: Number(mark), reason: words } })}
      onClose={onClose}
      onSent={({ mark }) =>
        void showAlert({
          title: 'Success!',
          text: 'The submitter sees the mark and your reason.',
          circled: mark.trim(),
        })
      }
    >
      <p className="max-w-prose text-soft">
        Your mark settles the submission. Its reviews then show how their reviewers mark, as those of an
        exemplar do. Marks that are already settled stay.
      </p>
      <MarkInput total={total} {...register('mark')} error={errors.mark?.message} />
      <ReasonInput
        hint="The submitter can read it, and it stays in the history of the mark."
        {...register('reason')}
        error={errors.reason?.message}
      />
    </DialogForm>
  )
}
