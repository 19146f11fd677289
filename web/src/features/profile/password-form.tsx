import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { AppLink, Button, Form, PasswordInput, PasswordNeeds, failed, toast } from '@/components/ui'
import { passwordError, passwordFaults } from '@/lib/password'
import { isProblem } from '@/lib/problem'
import { showFieldErrors } from '@/lib/server-errors'
import { useSchemaForm } from '@/lib/use-schema-form'
import { z } from '@/lib/zod'
import { changePassword } from '@/entities/user/mutations'

/** Changes the password of a user who knows it. An account without one gets a link by email. */
export function PasswordForm({ has }: { has: boolean }) {
  if (has) return <ChangePassword />
  return (
    <p>
      {t`Your account has no password.`}{' '}
      <AppLink to="/auth/forgot" className="link">
        {t`Choose one by email`}
      </AppLink>
    </p>
  )
}

const schema = z.object({
  currentPassword: z.string().check(z.minLength(1, { error: () => t`Enter your current password.` })),
  newPassword: z.string().check(z.minLength(1, { error: () => t`Choose a new password.` })),
})

function ChangePassword() {
  const { mutateAsync } = useMutation(changePassword)
  const { register, handleSubmit, formState, setError, reset, setFocus, control } = useSchemaForm({
    schema,
    values: { currentPassword: '', newPassword: '' },
  })
  const { errors, isSubmitting } = formState
  const newPassword = useWatch({ control, name: 'newPassword' })

  const submit = handleSubmit(async (values) => {
    const faults = passwordFaults(values.newPassword)
    if (faults.length > 0) {
      for (const fault of faults) toast(fault, 'error')
      setError('newPassword', { message: passwordError(values.newPassword) })
      setFocus('newPassword')
      return
    }
    try {
      await mutateAsync(values)
      reset()
      toast(t`Password changed`)
    } catch (error) {
      if (isProblem(error, 'auth/invalid-credential')) {
        setError('currentPassword', { message: t`This is not your current password.` }, { shouldFocus: true })
      } else if (!showFieldErrors(error, ['currentPassword', 'newPassword'], setError)) {
        void failed(error)
      }
    }
  })

  return (
    <Form onSubmit={submit} className="grid gap-5">
      <PasswordInput
        label={t`Current password`}
        autoComplete="current-password"
        {...register('currentPassword')}
        error={errors.currentPassword?.message}
      />
      <PasswordInput
        label={t`New password`}
        hint={
          <>
            {t`Changing it signs you out everywhere else.`}
            <PasswordNeeds password={newPassword} />
          </>
        }
        autoComplete="new-password"
        {...register('newPassword')}
        error={errors.newPassword?.message}
      />
      <Button type="submit" variant="quiet" busy={isSubmitting} className="justify-self-start">
        {isSubmitting ? t`Changing…` : t`Change password`}
      </Button>
    </Form>
  )
}
