import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useLocation } from 'react-router'
import {
  AppLink,
  Form,
  FormFailure,
  PasswordInput,
  PasswordNeeds,
  PictureField,
  TextInput,
  toast,
  type Failure,
} from '@/components/ui'
import { dropDraft } from '@/lib/drafts'
import { authState, type AuthState } from '@/lib/from-path'
import { passwordError, passwordFaults } from '@/lib/password'
import { explain } from '@/lib/problem'
import { showFieldErrors } from '@/lib/server-errors'
import { emailAddress, personName, photoAddress, webAddress } from '@/lib/rules'
import { useAccess } from '@/lib/site'
import { useSchemaForm } from '@/lib/use-schema-form'
import { z } from '@/lib/zod'
import { register as registerAccount } from './api'
import { AuthSheet } from './auth-sheet'
import { greet } from './greet'
import { OtherSignInMethods } from './other-sign-in-methods'
import { SubmitButton } from './submit-button'
import { useMayRegister } from './use-may-register'
import { WhyHere } from './why-here'

const secret = ['password']
const schema = z.object({
  name: personName,
  email: emailAddress,
  photoURL: webAddress(photoAddress),
  password: z.string().check(z.minLength(1, { error: () => t`Choose a password.` })),
})

export function RegisterPage() {
  const state = authState(useLocation())
  const { registration } = useAccess()
  const invited = useMayRegister(state)
  if (invited || registration === 'open') return <RegisterForm state={state} />
  return (
    <AuthSheet>
      <h1 tabIndex={-1}>{t`Register`}</h1>
      <p className="mt-4 text-soft">
        {registration === 'invited'
          ? t`You need an invitation to register here. Open the link that you were sent, or ask the person who told you about this site for one.`
          : t`Registration is closed at the moment.`}
      </p>
      <p className="mt-4 text-soft">
        <Trans>
          Already have an account?{' '}
          <AppLink to="/auth/login" state={state} className="link">
            Login
          </AppLink>
        </Trans>
      </p>
    </AuthSheet>
  )
}

function RegisterForm({ state }: { state: AuthState }) {
  const { invitation } = state
  const [failure, setFailure] = useState<Failure | null>(null)
  // No values: the inputs keep what the browser or the user filled in before hydration.
  const form = useSchemaForm({ schema, values: {}, draft: 'register', secret })
  const { register, handleSubmit, formState, setError, setFocus, setValue, control } = form
  const { errors, isSubmitting } = formState
  const [photo, typedPassword] = useWatch({ control, name: ['photoURL', 'password'] })

  function welcome(name: string) {
    dropDraft('register')
    greet(t`${name} your Register successfull`)
  }

  const submit = handleSubmit(async (input) => {
    setFailure(null)
    const { password } = input
    const faults = passwordFaults(password)
    if (faults.length > 0) {
      for (const fault of faults) toast(fault, 'error')
      setError('password', { message: passwordError(password) })
      setFocus('password')
      return
    }
    try {
      welcome(await registerAccount({ ...input, ...(invitation && { invitation }) }))
    } catch (error) {
      if (showFieldErrors(error, ['name', 'email', 'photoURL', 'password'], setError)) return
      setFailure({ sentence: explain(error) })
    }
  })

  return (
    <AuthSheet>
      <h1 tabIndex={-1}>{t`Register`}</h1>
      <p className="mt-2 text-soft">
        <Trans>
          Already have an account?{' '}
          <AppLink to="/auth/login" state={state} className="link">
            Login
          </AppLink>
        </Trans>
      </p>
      {invitation && (
        <p className="mt-4 text-soft">
          {t`You have an invitation. Register with the email address it was sent to.`}
        </p>
      )}
      <WhyHere />
      <Form onSubmit={submit} className="mt-8 grid gap-5">
        <TextInput
          label={t`Name`}
          hint={t`As your friends know you.`}
          autoComplete="name"
          dir="auto"
          {...register('name')}
          error={errors.name?.message}
        />
        <TextInput
          label={t`Email`}
          type="email"
          autoComplete="email"
          {...register('email')}
          error={errors.email?.message}
        />
        <PictureField
          label={t`Photo URL`}
          hint={t`Required: the web address of a picture of you, or one of our drawings.`}
          inputMode="url"
          autoComplete="photo"
          placeholder="https://"
          {...register('photoURL')}
          error={errors.photoURL?.message}
          art="people"
          address={photo}
          onPick={(url) => setValue('photoURL', url, { shouldDirty: true, shouldValidate: true })}
        />
        <PasswordInput
          label={t`Password`}
          hint={<PasswordNeeds password={typedPassword} />}
          autoComplete="new-password"
          {...register('password')}
          error={errors.password?.message}
        />
        <SubmitButton action={t`Register`} busyAction={t`Registering…`} busy={isSubmitting} />
        <FormFailure failure={failure} />
      </Form>
      <OtherSignInMethods invitation={invitation} onFailure={setFailure} onSignedIn={welcome} />
    </AuthSheet>
  )
}
