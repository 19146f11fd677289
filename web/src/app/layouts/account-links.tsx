import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { Button, LinkButton, toast } from '@/components/ui'
import { cx } from '@/lib/cx'
import { fetchCode } from '@/lib/load-code'
import { authState } from '@/lib/from-path'
import { useUser } from '@/lib/session'
import { useAccess } from '@/lib/site'

/** Register and Login for visitors, Logout for users. */
export function AccountLinks({ className }: { className: string }) {
  const user = useUser()
  const navigate = useNavigate()
  const location = useLocation()
  const { registration } = useAccess()
  // The page that led here is still the destination after the login.
  const carried = location.pathname.startsWith('/auth/') ? authState(location) : null
  const [busy, setBusy] = useState(false)

  async function leave() {
    setBusy(true)
    try {
      const { logout } = await fetchCode(() => import('@/features/auth'))
      await logout()
      await navigate('/auth/login')
      toast(t`Logout successful`)
    } catch {
      toast(t`Logout failed`, 'error')
    } finally {
      setBusy(false)
    }
  }

  return (
    <div className={cx('items-center gap-2', className)}>
      {user ? (
        <Button variant="quiet" size="sm" busy={busy} onClick={leave}>
          {t`Logout`}
        </Button>
      ) : (
        <>
          {registration === 'open' && (
            <LinkButton to="/auth/register" state={carried} variant="quiet" size="sm">
              {t`Register`}
            </LinkButton>
          )}
          <LinkButton to="/auth/login" state={carried} size="sm">
            {t`Login`}
          </LinkButton>
        </>
      )}
    </div>
  )
}
