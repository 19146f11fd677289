import { QueryObserver } from '@tanstack/react-query'
import { loadQueryClient } from '@/lib/load-query-client'
import { latestQuery } from '@/entities/notification/latest'
import { forgetTimeZone, reportTimeZone } from '@/entities/notification/time-zone'
import { reviewsToGive, todayQuery } from '@/entities/today/today-query'
import { setCount } from './counts'

/** Keeps the header's numbers as the server has them, until `left`. */
export async function watchCounts(email: string, left: AbortSignal): Promise<void> {
  const client = await loadQueryClient()
  if (left.aborted) return
  const latest = new QueryObserver(client, latestQuery)
  const today = new QueryObserver(client, todayQuery)
  const tellUnread = () => setCount('unread', latest.getCurrentResult().data?.unread ?? 0)
  const tellReviews = () => {
    const { data } = today.getCurrentResult()
    setCount('reviews', data ? reviewsToGive(data) : 0)
  }
  const stops = [latest.subscribe(tellUnread), today.subscribe(tellReviews)]
  left.addEventListener('abort', () => {
    for (const stop of stops) stop()
    setCount('unread', 0)
    setCount('reviews', 0)
    forgetTimeZone()
  })
  tellUnread()
  tellReviews()
  try {
    await reportTimeZone(email)
  } catch {
    // The next page reports it.
  }
}
