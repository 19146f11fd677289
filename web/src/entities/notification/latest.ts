import { queryOptions } from '@tanstack/react-query'
import { usuallyFreshMs } from '@/lib/query'
import { fetchPage, notificationKeys } from '@/entities/notification/queries'

/** How many the bell shows. */
const latest = 8
/** Without an event, this is how old the number of unread ones gets. */
const askAgainMs = 60_000

/** The newest ones, and how many were not read. */
export const latestQuery = queryOptions({
  queryKey: notificationKeys.unread,
  queryFn: () => fetchPage(1, latest),
  staleTime: usuallyFreshMs,
  meta: { staleOn: ['notifications'] },
  refetchInterval: askAgainMs,
})
