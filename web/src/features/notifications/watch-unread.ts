import { QueryObserver } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import { loadQueryClient } from '@/lib/load-query-client'
import { latestQuery } from './latest'
import { setUnread } from './unread'

/** Keeps the bell's number as the server has it, until `left`. */
export async function watchUnread(email: string, left: AbortSignal): Promise<void> {
  const observer = new QueryObserver(await loadQueryClient(), latestQuery)
  if (left.aborted) return
  const tell = () => setUnread(observer.getCurrentResult().data?.unread ?? 0)
  left.addEventListener('abort', observer.subscribe(tell))
  tell()
  await tellTimeZone(email)
}

/** Reminders go by the clock on this wall, unless another was chosen. Told once from each browser. */
async function tellTimeZone(email: string): Promise<void> {
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
