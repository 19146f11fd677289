import { t } from '@lingui/core/macro'
import { cx } from '@/lib/cx'

/** A small spinner beside a text that names the action. */
export function Spinner({ className }: { className?: string }) {
  return <span aria-hidden="true" className={cx('spinner shrink-0', className)} />
}

interface LoadingProps {
  label?: string
  /** The rest of the page is still to come: keeps the footer below the screen, so that nothing moves when it does. */
  fillsScreen?: boolean
}

/** The green spinner, centred in the area that content will fill. */
export function Loading({ label = t`Loading`, fillsScreen }: LoadingProps) {
  return (
    <div
      role="status"
      aria-label={label}
      className={cx(
        'grid justify-items-center text-3xl',
        fillsScreen ? 'min-h-svh content-start pt-14' : 'min-h-40 items-center',
      )}
    >
      <Spinner />
    </div>
  )
}

/** Shown only until the session is known. */
export function FullScreenSpinner() {
  return <div role="status" aria-label={t`Loading`} className="first-paint" />
}
