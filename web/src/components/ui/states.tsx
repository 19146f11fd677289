import type { ReactNode } from 'react'
import { Button } from './button'

interface EmptyStateProps {
  message: string
  /** Which of the drawings in /art/empty goes with it. */
  art: 'assignments' | 'pending' | 'submitted'
  /** The first step out of the emptiness. */
  children?: ReactNode
}

/** Nothing here yet: says so, and what to do about it. */
export function EmptyState({ message, art, children }: EmptyStateProps) {
  return (
    <div className="grid justify-items-center gap-4 px-4 py-10 text-center">
      <img src={`/art/empty/${art}.svg`} alt="" width={240} height={180} className="max-w-full" />
      <p className="font-display text-lg font-semibold">{message}</p>
      {children}
    </div>
  )
}

/** Something could not be fetched: says what happened, and tries again on request. */
export function ErrorState({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <div role="alert" className="grid justify-items-center gap-4 px-4 py-14 text-center">
      <p className="max-w-prose font-semibold text-red">{message}</p>
      <Button variant="quiet" onClick={onRetry}>
        Retry
      </Button>
    </div>
  )
}
