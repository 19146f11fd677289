import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { AppLink, ErrorState, Loading } from '@/components/ui'
import { explain } from '@/lib/problem'
import { queryClient } from '@/lib/query-client'
import { MarkAllRead } from './mark-all-read'
import { NotificationList } from './notification-list'
import { latestQuery } from './queries'

/** What opens below the bell. It brings the cache along, which pages without data have not. */
export default function BellPanel({ onClose }: { onClose: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <QueryClientProvider client={queryClient}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 border-b border-line px-4 py-2">
        <h2 ref={heading} tabIndex={-1} className="text-base">
          Notifications
        </h2>
        <MarkAllRead heading={heading} />
      </div>
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
        Nothing yet. You will hear of grades, and of who takes your assignments.
      </p>
    )
  }
  if (error) return <ErrorState message={explain(error)} onRetry={() => void refetch()} />
  return <Loading />
}
