import { useSyncExternalStore } from 'react'

/**
 * How many notifications were not read: for the bell in every page's header, without the machinery that asks
 * (watch-unread.ts), which is loaded when the page is there.
 */
let unread = 0
const listeners = new Set<() => void>()

export function setUnread(count: number): void {
  if (count === unread) return
  unread = count
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useUnread = (): number =>
  useSyncExternalStore(
    subscribe,
    () => unread,
    () => 0,
  )
