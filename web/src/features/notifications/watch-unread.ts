import { QueryObserver } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import { queryClient } from '@/lib/query-client'
import { latestQuery } from './queries'
import { setUnread } from './unread'

/** Keeps the bell's number as the server has it, until it is told to stop. */
export function watchUnread(): () => void {
  const observer = new QueryObserver(queryClient, latestQuery)
  const tell = () => setUnread(observer.getCurrentResult().data?.unread ?? 0)
  const stop = observer.subscribe(tell)
  tell()
  return stop
}

/** Reminders go by the clock on this wall, unless another was chosen. Told once from each browser. */
export async function tellTimeZone(email: string): Promise<void> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const told = `time-zone ${email}`
  try {
    if (!timeZone || localStorage.getItem(told) === timeZone) return
    await answer(api.PUT('/api/settings/time-zone', { body: { timeZone } }))
    localStorage.setItem(told, timeZone)
  } catch {
    // The next page tells it.
  }
}
