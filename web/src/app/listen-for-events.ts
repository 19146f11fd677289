import { fetchCode } from '@/lib/load-code'
import { firstAnswer } from '@/lib/load-query-client'

const againMs = 30_000

/**
 * Listens for what others change, from the place among the events at which the page was made ('' where that is
 * not known), once there are answers that could become stale: pages that show nothing of the server's need no
 * connection that stays open.
 */
export function listenForEvents(place: string): void {
  const onceLoaded = () => {
    if (document.readyState === 'complete') whenIdle(place)
    else window.addEventListener('load', () => whenIdle(place), { once: true })
  }
  void firstAnswer.then(onceLoaded)
}

/** When the browser has nothing better to do. */
function whenIdle(place: string) {
  // Safari has no idle callbacks.
  if ('requestIdleCallback' in window)
    window.requestIdleCallback(() => void listen(place), { timeout: 3_000 })
  else setTimeout(() => void listen(place), 1_000)
}

/** Without its code, answers are as old as they were fetched; it is asked for again. */
async function listen(place: string) {
  try {
    const { listenFrom } = await fetchCode(() => import('./entry-live'))
    listenFrom(place)
  } catch {
    const again = () => {
      clearTimeout(timer)
      window.removeEventListener('online', again)
      void listen(place)
    }
    const timer = setTimeout(again, againMs)
    window.addEventListener('online', again)
  }
}
