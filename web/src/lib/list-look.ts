import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()

/** The script in the shell reads what the device remembers; the stylesheet draws it. */
const current = (): boolean => document.documentElement.dataset.list === 'compact'

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Shows assignments in lists as rows or as cards, and remembers it on this device. */
export function setCompact(compact: boolean): void {
  try {
    if (compact) localStorage.setItem('list', 'compact')
    else localStorage.removeItem('list')
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  document.documentElement.dataset.list = compact ? 'compact' : ''
  for (const listener of listeners) listener()
}

/** Reports whether assignments in lists are rows. */
export const useCompact = (): boolean => useSyncExternalStore(subscribe, current, () => false)
