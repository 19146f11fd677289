import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { DialogForm, ReasonInput, TextArea, TextInput, reasonRules, toast } from '@/components/ui'
import { isWebAddress } from '@/lib/text'
import { MarkInput, markRules } from './decision-fields'
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
  const form = useForm({
    defaultValues: {
      docsLink: '',
      note: '',
      mark: exemplar ? String(exemplar.mark) : '',
      reason: exemplar?.reason ?? '',
    },
  })
  const { register, formState } = form
  const { errors } = formState
  const { mutateAsync } = useMutation(saveExemplar)
  const most = exemplar?.marks ?? total

  return (
    <DialogForm
      title="Exemplar"
      form={form}
      fields={['docsLink', 'note', 'mark', 'reason']}
      send={async ({ docsLink, note, mark, reason }) => {
        const input = {
          docsLink: docsLink.trim(),
          note: note.trim(),
          mark: Number(mark),
          reason: reason.trim(),
        }
        await mutateAsync({ assignmentId, exemplar, input })
      }}
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
      <MarkInput total={most} {...register('mark', markRules(most))} error={errors.mark?.message} />
      <ReasonInput
        hint="Why it gets that mark. Whoever has reviewed it reads this."
        rows={3}
        {...register('reason', reasonRules)}
        error={errors.reason?.message}
      />
    </DialogForm>
  )
}
