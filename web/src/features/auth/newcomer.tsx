import { AppLink } from '@/components/ui'
import type { AuthState } from '@/lib/from-path'
import { useAccess, useBrand } from '@/lib/site'
import { useMayRegister } from './use-may-register'

/** The way on for a visitor without an account: to Register, where the server would let them. */
export function Newcomer({ state }: { state: AuthState }) {
  const brand = useBrand()
  const { registration } = useAccess()
  const invited = useMayRegister(state)
  if (invited || registration === 'open') {
    return (
      <p className="mt-2 text-soft">
        New to {brand}?{' '}
        <AppLink to="/auth/register" state={state} className="link">
          Register
        </AppLink>
      </p>
    )
  }
  return (
    <p className="mt-2 text-soft">
      {registration === 'invited'
        ? 'New here? To register, open the invitation that you were sent.'
        : 'Registration is closed at the moment.'}
    </p>
  )
}
