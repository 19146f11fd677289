import { QueryObserver } from '@tanstack/react-query'
import { loadQueryClient } from '@/lib/load-query-client'
import { latestQuery } from '@/entities/notification/latest'
import { forgetTimeZone, reportTimeZone } from '@/entities/notification/time-zone'
import { setUnread } from './unread'

/** Keeps the bell's number as the server has it, until `left`. */
export async function watchUnread(email: string, left: AbortSignal): Promise<void> {
  const observer = new QueryObserver(await loadQueryClient(), latestQuery)
  if (left.aborted) return
  const tell = () => setUnread(observer.getCurrentResult().data?.unread ?? 0)
  const stop = observer.subscribe(tell)
  left.addEventListener('abort', () => {
    stop()
    setUnread(0)
    forgetTimeZone()
  })
  tell()
  try {
    await reportTimeZone(email)
  } catch {
    // The next page reports it.
  }
}
