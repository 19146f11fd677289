import { t } from '@lingui/core/macro'
import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useNavigate, useRouteError } from 'react-router'
import { Button, CircledMark, Loading } from '@/components/ui'
import { reloadForRelease, reloadIfReachable } from '@/lib/load-code'
import { explain, isProblem } from '@/lib/problem'

/** In the place of a page that cannot be shown, most often because its code could not be fetched. Header and footer stay. */
export function PageFailed() {
  const error = useRouteError()
  const navigate = useNavigate()
  const { pathname, search, hash, state } = useLocation()

  // The page's address is the present one by now: the reload leads to it.
  const [reloading] = useState(() => reloadForRelease(error))

  /** Code that failed once may be stuck in this document; anything else is drawn anew. */
  async function openAgain() {
    if (isProblem(error)) await reloadIfReachable()
    else await navigate(pathname + search + hash, { replace: true, state })
  }

  if (reloading) return <Loading label={t`Loading the new version`} fillsScreen />
  return <Failed error={error} onRetry={openAgain} />
}

/** When header and footer cannot be shown either. */
export function AppFailed() {
  return (
    <main>
      <Failed error={useRouteError()} onRetry={reloadIfReachable} />
    </main>
  )
}

interface FailedProps {
  error: unknown
  onRetry: () => Promise<unknown>
}

function Failed({ error, onRetry }: FailedProps) {
  const [busy, setBusy] = useState(false)

  async function retry() {
    setBusy(true)
    await onRetry()
    setBusy(false)
  }

  const retryOnline = useEffectEvent(() => void retry())
  useEffect(() => {
    const again = () => retryOnline()
    window.addEventListener('online', again)
    return () => window.removeEventListener('online', again)
  }, [])
  return (
    <div className="page grid min-h-[60vh] place-content-center justify-items-center gap-6 text-center">
      {/* Drawn here: a picture might not come either. */}
      <span aria-hidden="true">
        <CircledMark seed="page failed" drawn className="size-24 font-display text-4xl font-bold">
          !
        </CircledMark>
      </span>
      <h1 tabIndex={-1}>{t`This page could not be shown`}</h1>
      <p role="alert" className="max-w-prose text-soft">
        {explain(error)}
      </p>
      <Button busy={busy} onClick={retry}>
        {t`Retry`}
      </Button>
    </div>
  )
}
