import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { AppLink, EmptyState, ErrorState, LinkButton, Loading, Pages, RefreshFailed } from '@/components/ui'
import { explain } from '@/lib/problem'
import { useRedirectPastEnd } from '@/lib/use-redirect-past-end'
import { MarkAllRead } from './mark-all-read'
import { NotificationList } from './notification-list'
import { notificationsQuery } from './queries'

/** All notifications of the user, newest first. */
export function NotificationsPage({ page, onPage }: { page: number; onPage: (page: number) => void }) {
  const client = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const { data, error, refetch } = useQuery(notificationsQuery(page))
  const past = useRedirectPastEnd(page, data?.totalPages)
  return (
    <div className="page">
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            Notifications
          </h1>
          <p className="mt-3 max-w-prose text-soft">
            What others did with your work and your assignments, and what is due. You{' '}
            <AppLink to="/profile#notifications" className="link">
              choose your notifications
            </AppLink>
            .
          </p>
        </div>
        <MarkAllRead heading={heading} />
      </div>
      {data && !past ? (
        data.rows.length > 0 ? (
          <>
            <div className="mt-8 overflow-hidden rounded-card border border-line bg-raised">
              <NotificationList rows={data.rows} />
            </div>
            <RefreshFailed error={error} onRetry={() => void refetch()} />
            <Pages
              page={page}
              totalPages={data.totalPages}
              onPage={onPage}
              onIntent={(next) => void client.prefetchQuery(notificationsQuery(next))}
            />
          </>
        ) : (
          <EmptyState message="No notifications yet." art="notifications">
            <LinkButton to="/assignments">Take an assignment</LinkButton>
          </EmptyState>
        )
      ) : error ? (
        <ErrorState message={explain(error)} onRetry={() => void refetch()} />
      ) : (
        <Loading />
      )}
    </div>
  )
}
