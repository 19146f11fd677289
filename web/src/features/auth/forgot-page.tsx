import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { AppLink, Form, FormFailure, TextInput, type Failure } from '@/components/ui'
import { dropDraft, readDraft } from '@/lib/drafts'
import { explain } from '@/lib/problem'
import { emailAddress } from '@/lib/rules'
import { useSchemaForm } from '@/lib/use-schema-form'
import { z } from '@/lib/zod'
import { forgotPassword } from './api'
import { AuthSheet } from './auth-sheet'
import { SubmitButton } from './submit-button'

const schema = z.object({ email: emailAddress })
const draft = 'forgot'

/** Requests the email with a link to choose a new password. The answer is the same whether the account exists or not. */
export function ForgotPage() {
  const [failure, setFailure] = useState<Failure | null>(null)
  const [sentTo, setSentTo] = useState<string | null>(null)
  const answer = useRef<HTMLParagraphElement>(null)
  // The form is gone: focus moves to the answer.
  useEffect(() => answer.current?.focus(), [sentTo])
  const { register, handleSubmit, formState } = useSchemaForm({
    schema,
    // The address typed at Login is carried over.
    values: { email: readDraft<{ email: string }>('login')?.email ?? '' },
    draft,
  })
  const { errors, isSubmitting } = formState

  const submit = handleSubmit(async ({ email }) => {
    setFailure(null)
    try {
      await forgotPassword(email)
      dropDraft(draft)
      setSentTo(email)
    } catch (error) {
      setFailure({ sentence: explain(error) })
    }
  })

  const address = <bdi className="font-semibold">{sentTo}</bdi>
  return (
    <AuthSheet>
      <h1 tabIndex={-1}>{t`Forgot password`}</h1>
      <div role="status">
        {sentTo && (
          <p ref={answer} tabIndex={-1} className="mt-4">
            <Trans>
              If {address} has an account, an email with a link is on its way. The link works once, for 30
              minutes.
            </Trans>
          </p>
        )}
      </div>
      {!sentTo && (
        <Form onSubmit={submit} className="mt-8 grid gap-5">
          <TextInput
            label={t`Email`}
            hint={t`We will email you a link to choose a new password.`}
            type="email"
            autoComplete="username"
            {...register('email')}
            error={errors.email?.message}
          />
          <SubmitButton action={t`Send the link`} busyAction={t`Sending…`} busy={isSubmitting} />
          <FormFailure failure={failure} />
        </Form>
      )}
      <p className="mt-5">
        <AppLink to="/auth/login" className="link inline-flex min-h-11 items-center">
          {t`Back to Login`}
        </AppLink>
      </p>
    </AuthSheet>
  )
}
