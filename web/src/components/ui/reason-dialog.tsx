import { reason } from '@/lib/rules'
import { useSchemaForm } from '@/lib/use-schema-form'
import { z } from '@/lib/zod'
import { DialogForm } from './dialog-form'
import { ReasonInput } from './reason-input'

interface ReasonDialogProps {
  title: string
  hint: string
  draft: string
  /** Sends it; throws the server's refusal. */
  send: (reason: string) => Promise<void>
  onClose: () => void
  /** It is sent, and the dialog is closed. */
  onSent: () => void
  /** The submit button's label, and its label while the form is being sent. */
  action?: { label: string; busy: string }
}

const schema = z.object({ reason })

/** Asks for a reason. */
export function ReasonDialog({ title, hint, draft, send, onClose, onSent, action }: ReasonDialogProps) {
  const form = useSchemaForm({ schema, values: { reason: '' }, draft })
  return (
    <DialogForm
      title={title}
      form={form}
      draft={draft}
      fields={['reason']}
      send={({ reason: text }) => send(text)}
      onClose={onClose}
      onSent={onSent}
      action={action}
    >
      <ReasonInput hint={hint} {...form.register('reason')} error={form.formState.errors.reason?.message} />
    </DialogForm>
  )
}
