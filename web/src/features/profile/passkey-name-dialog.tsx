import { t } from '@lingui/core/macro'
import { Button, Dialog, DialogActions, Form, FormFailure, TextInput } from '@/components/ui'
import { explainPasskey } from '@/lib/passkey-support'
import { dropDraft } from '@/lib/drafts'
import { personName } from '@/lib/rules'
import { showFieldErrors } from '@/lib/server-errors'
import { useSchemaForm } from '@/lib/use-schema-form'
import { z } from '@/lib/zod'

interface PasskeyNameDialogProps {
  title: string
  hint?: string
  /** Its present or suggested name. */
  name: string
  action: string
  busyAction: string
  onSave: (name: string) => Promise<void>
  onClose: () => void
}

const schema = z.object({ name: personName })

/** Names a new or an existing passkey; stays open with the reason where that fails. */
export default function PasskeyNameDialog(props: PasskeyNameDialogProps) {
  const { title, hint, name, action, busyAction, onSave, onClose } = props
  const draft = `passkey ${title}`
  const form = useSchemaForm({ schema, values: { name }, draft, over: name })
  const { register, handleSubmit, formState, setError } = form
  const { errors, isSubmitting } = formState

  const submit = handleSubmit(async (values) => {
    try {
      await onSave(values.name)
      dropDraft(draft)
      onClose()
    } catch (error) {
      if (showFieldErrors(error, ['name'], setError)) return
      setError('root', { message: explainPasskey(error) })
    }
  })

  return (
    <Dialog title={title} onClose={onClose}>
      <Form onSubmit={submit} className="grid">
        <TextInput
          label={t`Name`}
          hint={hint}
          autoComplete="off"
          dir="auto"
          data-autofocus
          {...register('name')}
          error={errors.name?.message}
        />
        <div className={errors.root && 'mt-5'}>
          <FormFailure failure={errors.root?.message ? { sentence: errors.root.message } : null} />
        </div>
        <DialogActions>
          <Button variant="quiet" onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button type="submit" busy={isSubmitting}>
            {isSubmitting ? busyAction : action}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
