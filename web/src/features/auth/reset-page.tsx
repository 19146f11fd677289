import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useNavigate } from 'react-router'
import {
  AppLink,
  Form,
  FormFailure,
  LinkButton,
  PasswordInput,
  PasswordNeeds,
  toast,
  type Failure,
} from '@/components/ui'
import { passwordError, passwordFaults } from '@/lib/password'
import { explain, isProblem } from '@/lib/problem'
import { startSession } from '@/lib/session'
import { useSchemaForm } from '@/lib/use-schema-form'
import { z } from '@/lib/zod'
import { resetPassword } from './api'
import { AuthSheet } from './auth-sheet'
import { SubmitButton } from './submit-button'

/** Where the mailed link leads: a new password, which ends every session of the account. */
export function ResetPage({ token }: { token: string }) {
  return (
    <AuthSheet>
      <h1 tabIndex={-1}>{t`New password`}</h1>
      {token ? <NewPassword token={token} /> : <LinkFirst />}
    </AuthSheet>
  )
}

/** Without the link there is nothing to set a password by. */
function LinkFirst() {
  return (
    <>
      <p className="mt-2 text-soft">
        {t`Open the link in our email, or copy its whole address. No email yet? We can send you one.`}
      </p>
      <p className="mt-8">
        <LinkButton to="/auth/forgot">{t`Send me a link`}</LinkButton>
      </p>
    </>
  )
}

const schema = z.object({
  password: z.string().check(z.minLength(1, { error: () => t`Choose a password.` })),
})

function NewPassword({ token }: { token: string }) {
  const navigate = useNavigate()
  const [failure, setFailure] = useState<Failure | null>(null)
  const { register, handleSubmit, formState, setError, setFocus, control } = useSchemaForm({
    schema,
    values: { password: '' },
  })
  const { errors, isSubmitting } = formState
  const typed = useWatch({ control, name: 'password' })

  const submit = handleSubmit(async ({ password }) => {
    setFailure(null)
    const faults = passwordFaults(password)
    if (faults.length > 0) {
      for (const fault of faults) toast(fault, 'error')
      setError('password', { message: passwordError(password) })
      setFocus('password')
      return
    }
    try {
      await resetPassword(token, password)
      startSession(null)
      await navigate('/auth/login', { replace: true })
      toast(t`Your password is changed. Sign in with the new one.`)
    } catch (error) {
      setFailure(
        isProblem(error, 'auth/invalid-action-code')
          ? { sentence: t`This link has been used, has expired, or is incomplete.` }
          : { sentence: explain(error) },
      )
    }
  })

  return (
    <>
      <p className="mt-2 text-soft">{t`It replaces the old one, and signs you out everywhere.`}</p>
      <Form onSubmit={submit} className="mt-8 grid gap-5">
        <PasswordInput
          label={t`Password`}
          hint={<PasswordNeeds password={typed} />}
          autoComplete="new-password"
          {...register('password')}
          error={errors.password?.message}
        />
        <SubmitButton action={t`Save the new password`} busyAction={t`Saving…`} busy={isSubmitting} />
        <FormFailure failure={failure} />
      </Form>
      <p className="mt-8">
        <AppLink to="/auth/forgot" className="link">
          {t`Send me another link`}
        </AppLink>
      </p>
    </>
  )
}
