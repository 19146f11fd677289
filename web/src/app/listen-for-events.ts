import { fetchCode } from '@/lib/load-code'
import { firstAnswer } from '@/lib/load-query-client'
import { whenIdle } from '@/lib/when-idle'

const againMs = 30_000

/**
 * Listens for live events from the page's cursor ('' if unknown) once there are answers that could become stale: pages
 * without data need no open connection.
 */
export function listenForEvents(place: string): void {
  void firstAnswer.then(() => whenIdle(() => void listen(place), 3_000))
}

/** Until its code arrives, answers are as old as their fetch; a failed fetch of the code is repeated. */
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
