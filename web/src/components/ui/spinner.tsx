import { cx } from '@/lib/cx'

/** A small turning circle beside words that already say what is going on. */
export function Spinner({ className }: { className?: string }) {
  return <span aria-hidden="true" className={cx('spinner shrink-0', className)} />
}

/** The green spinner in the middle of the place that something will fill. */
export function Loading({ label = 'Loading' }: { label?: string }) {
  return (
    <div role="status" aria-label={label} className="grid min-h-40 place-items-center text-3xl">
      <Spinner />
    </div>
  )
}

/** Shown until it is known who is signed in, and at no other time. */
export function FullScreenSpinner() {
  return <div role="status" aria-label="Loading" className="first-paint" />
}
