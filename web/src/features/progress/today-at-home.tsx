import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { AppLink, ErrorState } from '@/components/ui'
import { TodayList, invitationRows, otherRows, waitingRows } from '@/entities/today/today-list'
import { explain } from '@/lib/problem'
import { queryClient } from '@/lib/query-client'
import { todayQuery } from '@/entities/today/today-query'

/** As many as the room on the home page holds. */
const atMost = 3

/** The user's day on the home page. It brings the query cache, which the page itself does not have. */
export default function TodayAtHome() {
  return (
    <QueryClientProvider client={queryClient}>
      <Rows />
    </QueryClientProvider>
  )
}

function Rows() {
  const { data, error, refetch } = useQuery(todayQuery)
  if (!data) return error && <ErrorState message={explain(error)} onRetry={() => void refetch()} />
  const rows = [...invitationRows(data), ...waitingRows(data), ...otherRows(data)]
  if (rows.length === 0) {
    return (
      <p className="text-soft">
        <Trans>
          You’re all caught up. Take{' '}
          <AppLink to="/assignments?state=open" className="link">
            an assignment
          </AppLink>{' '}
          and your next step appears here.
        </Trans>
      </p>
    )
  }
  return (
    <>
      <TodayList rows={rows.slice(0, atMost)} />
      {rows.length > atMost && (
        <AppLink to="/dashboard" className="link inline-block leading-8">
          {t`Everything on your dashboard`}
        </AppLink>
      )}
    </>
  )
}
