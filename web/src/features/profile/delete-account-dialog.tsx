import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { Button, Dialog, DialogActions, Email, Form, TextInput, failed, toast } from '@/components/ui'
import { useSchemaForm } from '@/lib/use-schema-form'
import { z } from '@/lib/zod'
import { deleteAccount } from '@/entities/user/mutations'

const schemaOf = (email: string) =>
  z.object({
    typed: z.string().check(
      z.trim(),
      z.refine((typed) => typed.toLowerCase() === email, t`This is not the address of your account.`),
    ),
  })

/** Asks the user to type the account's email address before it is deleted. */
export default function DeleteAccountDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const navigate = useNavigate()
  const { mutateAsync } = useMutation(deleteAccount)
  const schema = useMemo(() => schemaOf(email), [email])
  const { register, handleSubmit, formState } = useSchemaForm({ schema, values: { typed: '' } })
  const { errors, isSubmitting } = formState

  const submit = handleSubmit(async () => {
    try {
      await mutateAsync()
    } catch (error) {
      await failed(error)
      return
    }
    await navigate('/')
    toast(t`Your account is deleted`)
  })

  return (
    <Dialog title={t`Delete your account?`} role="alertdialog" onClose={onClose}>
      <Form onSubmit={submit} className="grid gap-5">
        <TextInput
          label={t`Your email address`}
          hint={
            <Trans>
              Type{' '}
              <strong>
                <Email address={email} />
              </strong>{' '}
              to confirm.
            </Trans>
          }
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...register('typed')}
          error={errors.typed?.message}
        />
        <DialogActions>
          <Button variant="quiet" onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button type="submit" variant="danger" busy={isSubmitting}>
            {isSubmitting ? t`Deleting…` : t`Delete my account`}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
