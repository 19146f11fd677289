import { useEffect, useState } from 'react'
import { useLocation, useNavigate, useRouteError } from 'react-router'
import { Button, Loading } from '@/components/ui'
import { reloadForNewRelease, reloadHelps } from '@/lib/load-code'
import { explain, isProblem } from '@/lib/problem'

/** In the place of a page that cannot be shown, most often because its code could not be fetched. Header and footer stay. */
export function PageFailed() {
  const error = useRouteError()
  const navigate = useNavigate()
  const { pathname, search, hash, state } = useLocation()
  const [busy, setBusy] = useState(false)

  async function openAgain() {
    if (isProblem(error, 'new-release')) {
      reloadForNewRelease()
      return
    }
    setBusy(true)
    await navigate(pathname + search + hash, { replace: true, state })
    setBusy(false)
  }

  const [reloading] = useState(() => reloadHelps(error))
  useEffect(() => {
    if (reloading) reloadForNewRelease()
  }, [reloading])
  if (reloading) return <Loading label="Loading the new version" fillsScreen />
  return <Failed error={error} busy={busy} onRetry={() => void openAgain()} />
}

/** When header and footer cannot be shown either. */
export function AppFailed() {
  return (
    <main>
      <Failed error={useRouteError()} busy={false} onRetry={() => window.location.reload()} />
    </main>
  )
}

interface FailedProps {
  error: unknown
  busy: boolean
  onRetry: () => void
}

function Failed({ error, busy, onRetry }: FailedProps) {
  // An event of its own: trying again is for when the network is back.
  useEffect(() => {
    window.addEventListener('online', onRetry)
    return () => window.removeEventListener('online', onRetry)
  }, [onRetry])
  return (
    <div className="page grid min-h-[60vh] place-content-center justify-items-center gap-6 text-center">
      <h1 tabIndex={-1}>This page could not be shown</h1>
      <p role="alert" className="max-w-prose text-soft">
        {explain(error)}
      </p>
      <Button busy={busy} onClick={onRetry}>
        Retry
      </Button>
    </div>
  )
}
