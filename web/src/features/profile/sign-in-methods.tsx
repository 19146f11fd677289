import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { ErrorState, Loading, RefreshFailed, lazyView } from '@/components/ui'
import { explain } from '@/lib/problem'
import { signInMethodsQuery } from '@/entities/user/queries'
import { Section } from './section'

const loading = () => t`Loading your ways to sign in`
const SignInMethodList = lazyView(() => import('./sign-in-method-list'), { label: loading })

/** All ways to sign in: password, linked accounts and passkeys. The last one cannot be removed. */
export function SignInMethodsSection() {
  const { data: methods, error, isPending, refetch } = useQuery(signInMethodsQuery)
  const retry = () => void refetch()
  return (
    <Section
      id="sign-in"
      title={t`Ways to sign in`}
      about={t`Keep two: if you lose one, the other still lets you in.`}
    >
      {isPending && <Loading label={loading()} />}
      {error && !methods && <ErrorState message={explain(error)} onRetry={retry} />}
      <RefreshFailed error={methods && error} onRetry={retry} />
      {methods && <SignInMethodList methods={methods} />}
    </Section>
  )
}
