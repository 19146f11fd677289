import { fetchCode } from '@/lib/load-code'
import { firstAnswer } from '@/lib/load-query-client'
import { whenIdle } from '@/lib/when-idle'

const againMs = 30_000

/**
 * Listens for what others change, from the place among the events at which the page was made ('' where that is
 * not known), once there are answers that could become stale: pages that show nothing of the server's need no
 * connection that stays open.
 */
export function listenForEvents(place: string): void {
  void firstAnswer.then(() => whenIdle(() => void listen(place), 3_000))
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
