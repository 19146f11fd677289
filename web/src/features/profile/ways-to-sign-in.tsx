import { ErrorState, Loading } from '@/components/ui'
import { useResource } from '@/lib/cache'
import { explain } from '@/lib/problem'
import { fetchMethods, methodsKey } from './api'
import { LinkedProviders } from './linked-providers'
import { Passkeys } from './passkeys'
import { PasswordForm } from './password-form'
import { Section } from './section'

/** All the ways into the account: its password, accounts elsewhere, passkeys. One always remains. */
export function WaysToSignIn() {
  const { data: methods, error, loading, retry } = useResource(methodsKey, fetchMethods)
  return (
    <Section title="Ways to sign in">
      {loading && <Loading label="Loading your ways to sign in" />}
      {error !== null && <ErrorState message={explain(error)} onRetry={retry} />}
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
