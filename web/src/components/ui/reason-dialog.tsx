import { useForm } from 'react-hook-form'
import { DialogForm } from './dialog-form'
import { ReasonInput, reasonRules } from './reason-input'

interface ReasonDialogProps {
  title: string
  hint: string
  /** Sends it; throws what the server refused. */
  send: (reason: string) => Promise<void>
  onClose: () => void
  /** It is sent, and the dialog is closed. */
  onSent: () => void
  /** What the button says that sends it, and while it is sent. */
  action?: { label: string; busy: string }
}

/** Asks why. */
export function ReasonDialog({ title, hint, send, onClose, onSent, action }: ReasonDialogProps) {
  const form = useForm({ defaultValues: { reason: '' } })
  return (
    <DialogForm
      title={title}
      form={form}
      fields={['reason']}
      send={({ reason }) => send(reason.trim())}
      onClose={onClose}
      onSent={onSent}
      action={action}
    >
      <ReasonInput
        hint={hint}
        {...form.register('reason', reasonRules)}
        error={form.formState.errors.reason?.message}
      />
    </DialogForm>
  )
}
