import { useRouteError } from 'react-router'
import { Button } from '@/components/ui'

/** When a page breaks, most often because its code could not be fetched: a reload gets the newest one. */
export function Failed() {
  const error = useRouteError()
  const message = error instanceof Error ? error.message : ''
  return (
    <main className="page grid min-h-dvh place-content-center justify-items-center gap-6 text-center">
      <h1>This page could not be shown</h1>
      <p className="max-w-prose text-soft">
        Your connection may be down, or the site has been updated. {message}
      </p>
      <Button onClick={() => window.location.reload()}>Retry</Button>
    </main>
  )
}
