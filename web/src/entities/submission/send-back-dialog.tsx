import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { DialogForm, ReasonInput, toast } from '@/components/ui'
import { sendBack } from '@/entities/submission/mutations'
import { reason } from '@/lib/rules'
import { useSchemaForm } from '@/lib/use-schema-form'
import { z } from '@/lib/zod'

const schema = z.object({ reason })

interface SendBackDialogProps {
  id: string
  onClose: () => void
  onSent?: () => void
}

/** Sends a submission back for a reason: its submitter hands in again. */
export default function SendBackDialog({ id, onClose, onSent }: SendBackDialogProps) {
  const draft = `send back ${id}`
  const form = useSchemaForm({ schema, values: { reason: '' }, draft })
  const { mutateAsync } = useMutation(sendBack)
  return (
    <DialogForm
      title={t`Send back`}
      form={form}
      draft={draft}
      fields={['reason']}
      send={({ reason: words }) => mutateAsync({ id, reason: words })}
      onClose={onClose}
      onSent={() => {
        toast(t`Sent back. The submitter is notified.`)
        onSent?.()
      }}
      action={{ label: t`Send back`, busy: t`Sending back…` }}
    >
      <ReasonInput
        hint={t`The submitter reads it and hands in again. This attempt stays in the history, without a mark.`}
        {...form.register('reason')}
        error={form.formState.errors.reason?.message}
      />
    </DialogForm>
  )
}
