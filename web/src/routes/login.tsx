import { LoginPage } from '@/features/auth/login-page'
import { useDemo } from '@/lib/site'
import { useHydrated } from '@/lib/use-hydrated'

export function Component() {
  const demo = useDemo()
  // The prerendered page knows nothing of a demonstration: the first render has to be the same.
  return <LoginPage demo={useHydrated() ? demo : null} />
}
