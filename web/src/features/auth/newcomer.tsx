import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { AppLink } from '@/components/ui'
import type { AuthState } from '@/lib/from-path'
import { useAccess, useBrand } from '@/lib/site'
import { useMayRegister } from './use-may-register'

/** The way on for a visitor without an account: to Register, where the server would let them. */
export function Newcomer({ state }: { state: AuthState }) {
  const name = <>{useBrand()}</>
  const { registration } = useAccess()
  const invited = useMayRegister(state)
  if (invited || registration === 'open') {
    return (
      <p className="mt-2 text-soft">
        <Trans>
          New to {name}?{' '}
          <AppLink to="/auth/register" state={state} className="link">
            Register
          </AppLink>
        </Trans>
      </p>
    )
  }
  return (
    <p className="mt-2 text-soft">
      {registration === 'invited'
        ? t`New here? To register, open the invitation that you were sent.`
        : t`Registration is closed at the moment.`}
    </p>
  )
}
