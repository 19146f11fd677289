import { useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { AppLink, type Failure, FormFailure, TextInput } from '@/components/ui'
import { readDraft } from '@/lib/drafts'
import { explain } from '@/lib/problem'
import { forgotPassword } from './api'
import { AuthSheet } from './auth-sheet'
import { SubmitButton } from './submit-button'

/** Asks for the mail with the link to a new password. The answer is the same whether the account exists or not. */
export function ForgotPage() {
  const [failure, setFailure] = useState<Failure | null>(null)
  const [sentTo, setSentTo] = useState<string | null>(null)
  const answer = useRef<HTMLParagraphElement>(null)
  // The form is gone: the focus goes to what stands in its place.
  useEffect(() => answer.current?.focus(), [sentTo])
  const { register, handleSubmit, formState } = useForm({
    // What was typed at Login need not be typed again.
    defaultValues: { email: readDraft<{ email: string }>('login')?.email ?? '' },
  })
  const { errors, isSubmitting } = formState

  const submit = handleSubmit(async ({ email }) => {
    setFailure(null)
    try {
      await forgotPassword(email.trim())
      setSentTo(email.trim())
    } catch (error) {
      setFailure({ sentence: explain(error) })
    }
  })

  return (
    <AuthSheet>
      <h1 tabIndex={-1}>Forgot password</h1>
      <div role="status">
        {sentTo && (
          <p ref={answer} tabIndex={-1} className="mt-4">
            If <bdi className="font-semibold">{sentTo}</bdi> has an account, a mail with a link is on its way.
            The link works once, for 30 minutes.
          </p>
        )}
      </div>
      {!sentTo && (
        <form noValidate onSubmit={(event) => void submit(event)} className="mt-8 grid gap-5">
          <TextInput
            label="Email"
            hint="We send a link there that lets you choose a new password."
            type="email"
            autoComplete="username"
            {...register('email', {
              validate: (value) =>
                /^[^\s@]+@[^\s@]+$/.test(value.trim()) || 'Enter an email address, like name@example.org.',
            })}
            error={errors.email?.message}
          />
          <SubmitButton action="Send the link" busyAction="Sending…" busy={isSubmitting} />
          <FormFailure failure={failure} />
        </form>
      )}
      <p className="mt-5">
        <AppLink to="/auth/login" className="link inline-flex min-h-11 items-center">
          Back to Login
        </AppLink>
      </p>
    </AuthSheet>
  )
}
