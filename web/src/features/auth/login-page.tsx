import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useLocation } from 'react-router'
import { AppLink, type Failure, FormFailure, PasswordInput, TextInput } from '@/components/ui'
import { readDraft, dropDraft } from '@/lib/drafts'
import { authState } from '@/lib/from-path'
import { useBrand, useSignIn, type DemoAccount } from '@/lib/site'
import { useDraft } from '@/lib/use-draft'
import { login } from './api'
import { AuthSheet } from './auth-sheet'
import { DemoAccounts } from './demo-accounts'
import { greet } from './greet'
import { loginFailure } from './messages'
import { OtherSignInMethods } from './other-sign-in-methods'
import { PasskeyButton } from './passkey-button'
import { SubmitButton } from './submit-button'
import { WhyHere } from './why-here'

interface LoginForm {
  email: string
  password: string
}

const secret = ['password']

export function LoginPage({ demo }: { demo: DemoAccount[] | null }) {
  const brand = useBrand()
  const { passkeys } = useSignIn()
  const state = authState(useLocation().state)
  const [failure, setFailure] = useState<Failure | null>(null)
  // No defaults: what the browser or a quick typist filled in before the script came stays.
  const form = useForm<LoginForm>({ defaultValues: readDraft<LoginForm>('login') ?? {} })
  useDraft('login', form, { without: secret })
  const { register, handleSubmit, formState, setError, setValue, setFocus } = form
  const { errors, isSubmitting } = formState

  function welcome(name: string) {
    dropDraft('login')
    greet(`${name} your Login successfull`)
  }

  const submit = handleSubmit(async ({ email, password }) => {
    setFailure(null)
    // Said, but not in the way: an account may have an older, shorter password.
    if (password.length < 6) setError('password', { message: 'password must have 6 digit' })
    try {
      welcome(await login({ email: email.trim(), password }))
    } catch (error) {
      setFailure(loginFailure(error))
    }
  })

  return (
    <AuthSheet>
      <h1 tabIndex={-1}>Login</h1>
      <p className="mt-2 text-soft">
        New to {brand}?{' '}
        <AppLink to="/auth/register" state={state} className="link">
          Register
        </AppLink>
      </p>
      <WhyHere />
      <form noValidate onSubmit={(event) => void submit(event)} className="mt-8 grid gap-5">
        <TextInput
          label="Email"
          type="email"
          autoComplete="username webauthn"
          {...register('email', { required: 'Enter your email address.' })}
          error={errors.email?.message}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          {...register('password', { required: 'Enter your password.' })}
          error={errors.password?.message}
        />
        <AppLink
          to="/auth/forgot"
          className="link -my-2.5 inline-flex min-h-11 items-center justify-self-start text-sm"
        >
          Forgot password?
        </AppLink>
        <SubmitButton action="Login" busyAction="Logging in…" busy={isSubmitting} />
        <FormFailure failure={failure} />
      </form>
      <OtherSignInMethods onFailure={setFailure} onSignedIn={welcome}>
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
