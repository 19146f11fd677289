import { useForm } from 'react-hook-form'
import { ReasonInput, reasonRules } from './decision-fields'
import { DialogForm } from './dialog-form'

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
  const form = useForm({ defaultValues: { reason: '' } })
  return (
    <DialogForm
      title={title}
      form={form}
      fields={['reason']}
      send={({ reason }) => send(reason.trim())}
      onClose={onClose}
      onSent={onSent}
    >
      <ReasonInput
        hint={hint}
        {...form.register('reason', reasonRules)}
        error={form.formState.errors.reason?.message}
      />
    </DialogForm>
  )
}
