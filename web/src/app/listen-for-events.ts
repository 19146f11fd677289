import { fetchCode } from '@/lib/load-code'
import { firstAnswer } from '@/lib/load-query-client'
import { whenIdle } from '@/lib/when-idle'

const againMs = 30_000

/**
 * Listens for live events from the page's cursor ('' if unknown) once there are answers that could become stale: pages
 * without data need no open connection.
 */
export function listenForEvents(cursor: string): void {
  void firstAnswer.then(() => whenIdle(() => void listen(cursor), 3_000))
}

/** Until its code arrives, answers are as old as their fetch; a failed fetch of the code is repeated. */
async function listen(cursor: string) {
  try {
    const { listenFrom } = await fetchCode(() => import('./entry-live'))
    listenFrom(cursor)
  } catch {
    const again = () => {
      clearTimeout(timer)
      window.removeEventListener('online', again)
      void listen(cursor)
    }
    const timer = setTimeout(again, againMs)
    window.addEventListener('online', again)
  }
}
