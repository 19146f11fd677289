import { fetchCode } from '@/lib/load-code'
import { sessionUnanswered } from '@/lib/session'

const longestWaitMs = 30_000
let failures = 0
let timer: ReturnType<typeof setTimeout> | undefined

/** Reads the session, retrying until the server answers: no answer does not sign the user out. */
export async function learnSession(): Promise<void> {
  clearTimeout(timer)
  window.removeEventListener('online', learnAgain)
  try {
    const { renewSession } = await fetchCode(() => import('@/api/client'))
    await renewSession()
    failures = 0
  } catch (error) {
    sessionUnanswered(error)
    failures++
    timer = setTimeout(learnAgain, Math.min(longestWaitMs, 1_000 * 2 ** failures))
    window.addEventListener('online', learnAgain)
  }
}

const learnAgain = () => void learnSession()
