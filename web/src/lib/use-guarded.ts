import { useRef } from 'react'
import { arrival } from './arrival'

/**
 * `action`, which does nothing while it runs, nor until the page is there that it leads to: a second press does not
 * begin it again.
 */
export function useGuarded<Args extends unknown[]>(
  action: ((...args: Args) => unknown) | undefined,
): (...args: Args) => Promise<void> {
  const running = useRef(false)
  return async (...args) => {
    if (running.current) return
    running.current = true
    try {
      await action?.(...args)
      // What a press changes at once is drawn: a button that is busy from now on does nothing by itself.
      await new Promise(requestAnimationFrame)
      await arrival()
    } finally {
      running.current = false
    }
  }
}
