import { useMutation } from '@tanstack/react-query'
import { useMemo } from 'react'
import { DialogForm, ReasonInput, TextArea, TextInput, toast } from '@/components/ui'
import { documentLink, note, reason, wholeNumber } from '@/lib/rules'
import { useSchemaForm } from '@/lib/use-schema-form'
import { z } from '@/lib/zod'
import { MarkInput } from './decision-fields'
import { saveExemplar, type Exemplar } from './exemplars-query'

interface ExemplarDialogProps {
  assignmentId: string
  /** The mark it may have at most. */
  total: number
  /** The exemplar to change; undefined for a new one. */
  exemplar: Exemplar | undefined
  onClose: () => void
}

/** The link and the note of an existing exemplar do not change. */
const schemaOf = (most: number, isNew: boolean) =>
  z.object({
    docsLink: isNew ? documentLink : z.string(),
    note: isNew ? note : z.string(),
    mark: wholeNumber(0, most),
    reason,
  })

/** Hands in sample work with its known mark, or changes that mark and its reason. */
export default function ExemplarDialog({ assignmentId, total, exemplar, onClose }: ExemplarDialogProps) {
  const most = exemplar?.marks ?? total
  const isNew = exemplar === undefined
  const draft = `exemplar ${exemplar?._id ?? assignmentId}`
  const form = useSchemaForm({
    schema: useMemo(() => schemaOf(most, isNew), [most, isNew]),
    values: {
      docsLink: '',
      note: '',
      mark: exemplar ? String(exemplar.mark) : '',
      reason: exemplar?.reason ?? '',
    },
    draft,
    over: exemplar && `${exemplar.mark} ${exemplar.reason}`,
  })
  const { register, formState } = form
  const { errors } = formState
  const { mutateAsync } = useMutation(saveExemplar)

  return (
    <DialogForm
      title="Exemplar"
      form={form}
      draft={draft}
      fields={['docsLink', 'note', 'mark', 'reason']}
      send={(values) =>
        mutateAsync({ assignmentId, exemplar, input: { ...values, mark: Number(values.mark) } })
      }
      onClose={onClose}
      onSent={() => void toast(exemplar ? 'Exemplar changed' : 'Exemplar handed in')}
    >
      {!exemplar && (
        <>
          <TextInput
            label="Google Docs Link"
            hint="As a submitter would hand it in, without a name in it."
            type="url"
            placeholder="https://"
            {...register('docsLink')}
            error={errors.docsLink?.message}
          />
          <TextArea
            label="Note"
            hint="Optional."
            rows={2}
            {...register('note')}
            error={errors.note?.message}
            dir="auto"
          />
        </>
      )}
      <MarkInput total={most} {...register('mark')} error={errors.mark?.message} />
      <ReasonInput
        hint="Why it gets that mark. Whoever has reviewed it reads this."
        rows={3}
        {...register('reason')}
        error={errors.reason?.message}
      />
    </DialogForm>
  )
}
