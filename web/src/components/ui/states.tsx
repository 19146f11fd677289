import type { ReactNode } from 'react'
import { Button } from './button'

/** Nothing here yet: says so, and what to do about it. */
export function EmptyState({ message, children }: { message: string; children?: ReactNode }) {
  return (
    <div className="grid justify-items-center gap-4 px-4 py-14 text-center">
      <svg aria-hidden="true" viewBox="0 0 120 90" className="w-32 text-soft">
        <g fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round">
          <path d="m30 22 50-8 11 60-51 9z" fill="var(--raised)" />
          <path d="m24 28 52-4 4 58-52 3z" fill="var(--paper)" />
          <path d="m34 42 32-2M35 52l24-2M36 62l28-2" />
          <path d="m84 62 20-26 6 5-20 26-8 3z" fill="var(--highlighter)" />
        </g>
      </svg>
      <p className="text-lg font-semibold">{message}</p>
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
