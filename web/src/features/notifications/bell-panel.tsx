import { t } from '@lingui/core/macro'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { AppLink, ErrorState, Loading } from '@/components/ui'
import { explain } from '@/lib/problem'
import { queryClient } from '@/lib/query-client'
import { BellTurns } from './bell-turns'
import { MarkAllRead } from './mark-all-read'
import { NotificationList } from './notification-list'
import { latestQuery } from '@/entities/notification/latest'

/** The panel below the bell. It brings the query cache, which pages without data do not have. */
export default function BellPanel({ onClose }: { onClose: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <QueryClientProvider client={queryClient}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 border-b border-line px-4 py-2">
        <h2 ref={heading} tabIndex={-1} className="text-base">
          {t`Notifications`}
        </h2>
        <MarkAllRead heading={heading} />
      </div>
      <BellTurns onClose={onClose} />
      <Latest onClose={onClose} />
      <p className="border-t border-line px-4 py-1 text-center">
        <AppLink to="/notifications" className="link inline-flex min-h-11 items-center" onClick={onClose}>
          {t`All notifications`}
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
        {t`Nothing yet. You will hear when your work is graded and when a user takes your assignment.`}
      </p>
    )
  }
  if (error) return <ErrorState message={explain(error)} onRetry={() => void refetch()} />
  return <Loading />
}
