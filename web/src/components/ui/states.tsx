import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { explain } from '@/lib/problem'
import { Button } from './button'
import { Unplugged } from './unplugged'

interface EmptyStateProps {
  message: string
  /** Which of the drawings in /art/empty goes with it. */
  art: 'assignments' | 'pending' | 'submitted' | 'notifications' | 'circles'
  /** The first step out of the emptiness. */
  children?: ReactNode
}

/** An empty list, with the next step. */
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
export function ErrorState({ message, onRetry }: { message: string; onRetry: () => unknown }) {
  return (
    <div role="alert" className="grid justify-items-center gap-4 px-4 py-10 text-center">
      <Unplugged className="w-40" />
      <p className="max-w-prose font-semibold text-red">{message}</p>
      <Button variant="quiet" onClick={onRetry}>
        {t`Retry`}
      </Button>
    </div>
  )
}

/** Says that the data shown could not be refreshed, with a Retry. */
export function RefreshFailed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div role="status">
      {error != null && (
        <div className="flex flex-wrap items-center justify-center gap-x-4 px-4 py-2 text-sm">
          <p>{t`This may be out of date. ${{ why: explain(error) }}`}</p>
          <Button variant="plain" size="sm" onClick={onRetry}>
            {t`Retry`}
          </Button>
        </div>
      )}
    </div>
  )
}
