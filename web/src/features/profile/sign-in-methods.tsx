import { useQuery } from '@tanstack/react-query'
import { ErrorState, Loading, RefreshFailed } from '@/components/ui'
import { explain } from '@/lib/problem'
import { signInMethodsQuery } from './queries'
import { LinkedProviders } from './linked-providers'
import { Passkeys } from './passkeys'
import { PasswordForm } from './password-form'
import { Section } from './section'

/** All the ways into the account: its password, accounts elsewhere, passkeys. One always remains. */
export function SignInMethodsSection() {
  const { data: methods, error, isPending, refetch } = useQuery(signInMethodsQuery)
  const retry = () => void refetch()
  return (
    <Section title="Ways to sign in" about="Keep two, and a lost one locks nobody out.">
      {isPending && <Loading label="Loading your ways to sign in" />}
      {error && !methods && <ErrorState message={explain(error)} onRetry={retry} />}
      <RefreshFailed error={methods && error} onRetry={retry} />
      {methods && (
        <div className="grid gap-8">
          <div>
            <h3 className="mb-4">Password</h3>
            <PasswordForm has={methods.password} />
          </div>
          <LinkedProviders methods={methods} />
          <Passkeys methods={methods} />
        </div>
      )}
    </Section>
  )
}
