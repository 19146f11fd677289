import type { AuthState } from '@/lib/from-path'
import { useAccess } from '@/lib/site'

/** Whether an invitation lets the visitor register. */
export function useMayRegister({ invitation }: AuthState): boolean {
  const { registration } = useAccess()
  return invitation !== undefined && registration !== 'closed'
}
