import { useRef } from 'react'

/** `action`, which does nothing while it runs: a second press does not begin it again. */
export function useGuarded<Args extends unknown[]>(
  action: ((...args: Args) => unknown) | undefined,
): (...args: Args) => Promise<void> {
  const running = useRef(false)
  return async (...args) => {
    if (running.current) return
    running.current = true
    try {
      await action?.(...args)
    } finally {
      running.current = false
    }
  }
}
