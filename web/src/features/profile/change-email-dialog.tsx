import { t } from '@lingui/core/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { AppLink, Dialog, DialogForm, Loading, PasswordInput, TextInput, showAlert } from '@/components/ui'
import { changeEmail } from '@/entities/user/mutations'
import { accountQuery } from '@/entities/user/queries'
import { Problem, isProblem } from '@/lib/problem'
import { emailAddress } from '@/lib/rules'
import { useSchemaForm } from '@/lib/use-schema-form'
import { z } from '@/lib/zod'

const title = () => t`Change email`
const draft = 'change email'

/** Asks for the new address and the password. An account without a password gets one by email first. */
export default function ChangeEmailDialog({ onClose }: { onClose: () => void }) {
  const { data: account } = useQuery(accountQuery)
  if (account?.hasPassword) return <ChangeEmail onClose={onClose} />
  return (
    <Dialog title={title()} onClose={onClose}>
      {account ? (
        <p>
          {t`Your account has no password, which this asks for.`}{' '}
          <AppLink to="/auth/forgot" className="link">
            {t`Choose one by email`}
          </AppLink>
        </p>
      ) : (
        <Loading label={t`Loading your account`} />
      )}
    </Dialog>
  )
}

const schema = z.object({
  email: emailAddress,
  password: z.string().check(z.minLength(1, { error: () => t`Enter your password.` })),
})

function ChangeEmail({ onClose }: { onClose: () => void }) {
  const form = useSchemaForm({ schema, values: { email: '', password: '' }, draft, secret: ['password'] })
  const { mutateAsync } = useMutation(changeEmail)
  const { errors } = form.formState
  return (
    <DialogForm
      title={title()}
      form={form}
      draft={draft}
      fields={['email', 'password']}
      send={async (values) => {
        try {
          await mutateAsync(values)
        } catch (error) {
          if (isProblem(error, 'auth/invalid-credential')) {
            const message = t`This is not your password.`
            throw new Problem(message, { ...error, fields: [{ location: 'body.password', message }] })
          }
          throw error
        }
      }}
      onClose={onClose}
      onSent={({ email }) =>
        void showAlert({
          title: t`Confirm the new address`,
          text: t`We have sent an email to ${email}. Open the link in it: until then nothing changes.`,
        })
      }
      action={{ label: t`Send the email`, busy: t`Sending…` }}
    >
      <TextInput
        label={t`New email`}
        type="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        hint={t`Your work, your circles and your ways to sign in stay. From your old address, you can undo it for seven days.`}
        {...form.register('email')}
        error={errors.email?.message}
      />
      <PasswordInput
        label={t`Password`}
        autoComplete="current-password"
        {...form.register('password')}
        error={errors.password?.message}
      />
    </DialogForm>
  )
}
