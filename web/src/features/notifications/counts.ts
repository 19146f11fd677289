import { useSyncExternalStore } from 'react'

/**
 * Numbers in every page's header, without the machinery that asks for them (watch-counts.ts), which is loaded when the
 * page is there: notifications that were not read, and reviews that the user is to give and can give now.
 */
const counts = { unread: 0, reviews: 0 }
type Counted = keyof typeof counts
const listeners = new Set<() => void>()

export function setCount(of: Counted, count: number): void {
  if (count === counts[of]) return
  counts[of] = count
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useCount = (of: Counted): number =>
  useSyncExternalStore(
    subscribe,
    () => counts[of],
    () => 0,
  )
