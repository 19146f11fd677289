import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { TodayList, waitingRows } from '@/entities/today/today-list'
import { todayQuery } from '@/entities/today/today-query'

const atMost = 3

/** The viewer's outstanding work, above the notifications; nothing if there is none. */
export function BellTurns({ onClose }: { onClose: () => void }) {
  const { data } = useQuery(todayQuery)
  const rows = data ? waitingRows(data, onClose).slice(0, atMost) : []
  if (rows.length === 0) return null
  return (
    <section aria-label={t`Your turn`} className="border-b border-line px-4 pt-2">
      <h3 className="text-sm font-semibold">{t`Your turn`}</h3>
      <TodayList rows={rows} onOpen={onClose} />
    </section>
  )
}
