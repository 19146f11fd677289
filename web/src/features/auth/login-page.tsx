import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { AppLink, Form, FormFailure, PasswordInput, TextInput, type Failure } from '@/components/ui'
import { dropDraft } from '@/lib/drafts'
import { authState } from '@/lib/from-path'
import { useSignIn, type DemoAccount } from '@/lib/site'
import { useSchemaForm } from '@/lib/use-schema-form'
import { z } from '@/lib/zod'
import { login } from './api'
import { AuthSheet } from './auth-sheet'
import { DemoAccounts } from './demo-accounts'
import { greet } from './greet'
import { loginFailure } from './messages'
import { Newcomer } from './newcomer'
import { OtherSignInMethods } from './other-sign-in-methods'
import { PasskeyButton } from './passkey-button'
import { SubmitButton } from './submit-button'
import { WhyHere } from './why-here'

const schema = z.object({
  email: z.string().check(z.trim(), z.minLength(1, { error: () => t`Enter your email address.` })),
  password: z.string().check(z.minLength(1, { error: () => t`Enter your password.` })),
})

const secret = ['password']

export function LoginPage({ demo }: { demo: DemoAccount[] | null }) {
  const { passkeys } = useSignIn()
  const state = authState(useLocation())
  const [failure, setFailure] = useState<Failure | null>(null)
  // No values: the inputs keep what the browser or the user filled in before hydration.
  const form = useSchemaForm({ schema, values: {}, draft: 'login', secret })
  const { register, handleSubmit, formState, setError, setValue, setFocus } = form
  const { errors, isSubmitting } = formState

  function welcome(name: string) {
    dropDraft('login')
    greet(t`${name} your Login successfull`)
  }

  const submit = handleSubmit(async ({ email, password }) => {
    setFailure(null)
    // Said, but not in the way: an account may have an older, shorter password.
    if (password.length < 6) setError('password', { message: t`password must have 6 digit` })
    try {
      welcome(await login({ email, password }))
    } catch (error) {
      setFailure(loginFailure(error))
    }
  })

  return (
    <AuthSheet>
      <h1 tabIndex={-1}>{t`Login`}</h1>
      <Newcomer state={state} />
      <WhyHere />
      <Form onSubmit={submit} className="mt-8 grid gap-5">
        <TextInput
          label={t`Email`}
          type="email"
          autoComplete="username webauthn"
          {...register('email')}
          error={errors.email?.message}
        />
        <PasswordInput
          label={t`Password`}
          autoComplete="current-password"
          {...register('password')}
          error={errors.password?.message}
        />
        <AppLink
          to="/auth/forgot"
          className="link -my-2.5 inline-flex min-h-11 items-center justify-self-start text-sm"
        >
          {t`Forgot password?`}
        </AppLink>
        <SubmitButton action={t`Login`} busyAction={t`Signing in…`} busy={isSubmitting} />
        <FormFailure failure={failure} />
      </Form>
      <OtherSignInMethods invitation={state.invitation} onFailure={setFailure} onSignedIn={welcome}>
        {passkeys && <PasskeyButton onFailure={setFailure} onSignedIn={welcome} />}
      </OtherSignInMethods>
      {demo && (
        <DemoAccounts
          accounts={demo}
          onPick={({ email, password }) => {
            setValue('email', email)
            setValue('password', password)
            setFocus('password')
          }}
        />
      )}
    </AuthSheet>
  )
}
