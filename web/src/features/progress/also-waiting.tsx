import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { TodayList, needRows } from '@/entities/today/today-list'
import { todayQuery } from '@/entities/today/today-query'
import { Region } from './region'

/** What else waits for the user, besides reviews and marks to decide; nothing while there is nothing. */
export function AlsoWaiting({ className }: { className: string }) {
  const { data } = useQuery(todayQuery)
  const rows = needRows(data?.needs)
  if (rows.length === 0) return null
  return (
    <Region title={t`Also waiting for you`} className={className}>
      <TodayList rows={rows} />
    </Region>
  )
}
