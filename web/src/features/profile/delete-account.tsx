import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { Button, Dialog, DialogActions, Email, TextInput, showAlert, toast } from '@/components/ui'
import { explain } from '@/lib/problem'
import { deleteAccount } from './mutations'
import { Section } from './section'

/** Deleting cannot be undone, so it is confirmed by typing one's own e-mail address. */
export function DeleteAccount({ email }: { email: string }) {
  const [open, setOpen] = useState(false)
  return (
    <Section title="Delete account">
      <p className="mb-5 max-w-prose text-soft">
        Your name, your photo and your sign-in go for good. Assignments you created stay, without your name.
        What you handed in and is not graded yet is withdrawn.
      </p>
      <Button variant="danger" onClick={() => setOpen(true)}>
        Delete account
      </Button>
      {open && <ConfirmDelete email={email} onClose={() => setOpen(false)} />}
    </Section>
  )
}

function ConfirmDelete({ email, onClose }: { email: string; onClose: () => void }) {
  const navigate = useNavigate()
  const { mutateAsync } = useMutation(deleteAccount)
  const { register, handleSubmit, formState } = useForm({ defaultValues: { typed: '' } })
  const { errors, isSubmitting } = formState

  const submit = handleSubmit(async () => {
    try {
      await mutateAsync()
    } catch (error) {
      await showAlert({ title: 'Error', text: explain(error), error: true })
      return
    }
    await navigate('/')
    void toast('Your account is deleted')
  })

  return (
    <Dialog title="Delete your account?" role="alertdialog" onClose={onClose}>
      <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
        <TextInput
          label="Your email address"
          hint={
            <>
              Type{' '}
              <strong>
                <Email address={email} />
              </strong>{' '}
              to confirm.
            </>
          }
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...register('typed', {
            validate: (value) =>
              value.trim().toLowerCase() === email || 'This is not the address of your account.',
          })}
          error={errors.typed?.message}
        />
        <DialogActions>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="danger" busy={isSubmitting}>
            {isSubmitting ? 'Deleting…' : 'Delete my account'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
