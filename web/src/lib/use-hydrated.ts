import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/** False while prerendered HTML waits for its script: forms must not be sent by the browser itself until then. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
