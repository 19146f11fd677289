import type { AuthState } from '@/lib/from-path'
import { useAccess } from '@/lib/site'
import { useHydrated } from '@/lib/use-hydrated'

/** Whether an invitation lets the visitor register. What stands behind the # of an address is not in the first HTML. */
export function useMayRegister({ invitation }: AuthState): boolean {
  const { registration } = useAccess()
  const hydrated = useHydrated()
  return hydrated && invitation !== undefined && registration !== 'closed'
}
