import { useForm } from 'react-hook-form'
import { Button, Dialog, DialogActions, FormFailure, TextInput } from '@/components/ui'
import { explainPasskey } from '@/lib/passkey-support'
import { showFieldErrors } from '@/lib/server-errors'
import { lengthOf } from '@/lib/text'

interface PasskeyNameDialogProps {
  title: string
  hint?: string
  /** To start from. */
  name: string
  action: string
  busyAction: string
  onSave: (name: string) => Promise<void>
  onClose: () => void
}

/** Names a passkey, new or old; stays open with the reason where that fails. */
export function PasskeyNameDialog(props: PasskeyNameDialogProps) {
  const { title, hint, name, action, busyAction, onSave, onClose } = props
  const { register, handleSubmit, formState, setError } = useForm({ defaultValues: { name } })
  const { errors, isSubmitting } = formState

  const submit = handleSubmit(async (values) => {
    try {
      await onSave(values.name.trim())
      onClose()
    } catch (error) {
      if (showFieldErrors(error, ['name'], setError)) return
      setError('root', { message: explainPasskey(error) })
    }
  })

  return (
    <Dialog title={title} onClose={onClose}>
      <form noValidate onSubmit={(event) => void submit(event)} className="grid">
        <TextInput
          label="Name"
          hint={hint}
          autoComplete="off"
          dir="auto"
          data-autofocus
          {...register('name', {
            validate: (value) =>
              (value.trim() !== '' && lengthOf(value.trim()) <= 100) ||
              'Enter a name of up to 100 characters.',
          })}
          error={errors.name?.message}
        />
        <div className={errors.root && 'mt-5'}>
          <FormFailure failure={errors.root?.message ? { sentence: errors.root.message } : null} />
        </div>
        <DialogActions>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={isSubmitting}>
            {isSubmitting ? busyAction : action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
