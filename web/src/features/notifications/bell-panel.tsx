import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, type RefObject } from 'react'
import { AppLink, ErrorState, Loading } from '@/components/ui'
import { explain } from '@/lib/problem'
import { queryClient } from '@/lib/query-client'
import { BellTurns } from './bell-turns'
import { MarkAllRead } from './mark-all-read'
import { NotificationList } from './notification-list'
import { latestQuery } from '@/entities/notification/latest'

interface Props {
  /** The bell and what opens below it. */
  around: RefObject<HTMLElement | null>
  onClose: () => void
}

/**
 * The panel below the bell. It brings the query cache, which pages without data do not have. A press or focus elsewhere
 * closes it, and so does Escape, which returns the focus to the bell.
 */
export default function BellPanel({ around, onClose }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  const closing = useEffectEvent((event: KeyboardEvent | PointerEvent | FocusEvent) => {
    if (event instanceof KeyboardEvent) {
      if (event.key !== 'Escape') return
      around.current?.querySelector('button')?.focus()
    } else if (event.target instanceof Node && around.current?.contains(event.target)) return
    onClose()
  })
  useEffect(() => {
    const close = (event: KeyboardEvent | PointerEvent | FocusEvent) => closing(event)
    document.addEventListener('keydown', close)
    document.addEventListener('pointerdown', close)
    document.addEventListener('focusin', close)
    return () => {
      document.removeEventListener('keydown', close)
      document.removeEventListener('pointerdown', close)
      document.removeEventListener('focusin', close)
    }
  }, [])
  return (
    <QueryClientProvider client={queryClient}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 border-b border-line px-4 py-2">
        <h2 ref={heading} tabIndex={-1} className="text-base">
          Notifications
        </h2>
        <MarkAllRead heading={heading} />
      </div>
      <BellTurns onClose={onClose} />
      <Latest onClose={onClose} />
      <p className="border-t border-line px-4 py-1 text-center">
        <AppLink to="/notifications" className="link inline-flex min-h-11 items-center" onClick={onClose}>
          All notifications
        </AppLink>
      </p>
    </QueryClientProvider>
  )
}

function Latest({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useQuery(latestQuery)
  if (data) {
    return data.rows.length > 0 ? (
      <NotificationList rows={data.rows} onOpen={onClose} />
    ) : (
      <p className="px-4 py-8 text-center text-soft">
        Nothing yet. You will hear when your work is graded and when a user takes your assignment.
      </p>
    )
  }
  if (error) return <ErrorState message={explain(error)} onRetry={() => void refetch()} />
  return <Loading />
}
