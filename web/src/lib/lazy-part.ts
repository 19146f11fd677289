import { useSyncExternalStore } from 'react'
import { loadCode, reloadForNewRelease, reloadHelps, reloadIfReachable } from './load-code'
import { isProblem } from './problem'

/** How far the code of a part has come. */
type PartState<T> =
  { status: 'pending' } | { status: 'ready'; part: T } | { status: 'failed'; error: unknown }

/** A part of a page whose code is fetched when it is first wanted. */
export interface LazyPart<T> {
  /** Starts fetching unless the part is loaded or loading; retries after a failure. Never rejects: the state holds the error. */
  load: () => Promise<void>
  /** Props for the control that opens the part: pointing at it or focusing it starts the fetch. */
  opener: Record<'onPointerEnter' | 'onPointerDown' | 'onFocus', () => void>
  /** For a press on Retry: if fetching it again does not help, the page is reloaded. */
  retry: () => Promise<void>
  subscribe: (listener: () => void) => () => void
  state: () => PartState<T>
}

/** A failed part is fetched again when the network is back; after a new release, the page is reloaded. */
export function lazyPart<T>(fetchPart: () => Promise<T>): LazyPart<T> {
  let state: PartState<T> = { status: 'pending' }
  let loading: Promise<void> | null = null
  const listeners = new Set<() => void>()

  function become(next: PartState<T>) {
    state = next
    for (const listener of listeners) listener()
  }

  async function fetchOnce() {
    window.removeEventListener('online', loadAgain)
    if (state.status === 'failed') become({ status: 'pending' })
    try {
      become({ status: 'ready', part: await loadCode(fetchPart) })
    } catch (error) {
      loading = null
      if (reloadHelps(error)) {
        reloadForNewRelease()
        return
      }
      become({ status: 'failed', error })
      window.addEventListener('online', loadAgain)
    }
  }

  const load = () => (loading ??= fetchOnce())
  const loadAgain = () => void load()
  return {
    load,
    opener: { onPointerEnter: loadAgain, onPointerDown: loadAgain, onFocus: loadAgain },
    retry: async () => {
      await load()
      if (state.status === 'failed' && !isProblem(state.error, 'code-unreachable')) await reloadIfReachable()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    state: () => state,
  }
}

/** How far a part has come; it is for the caller to start it. */
export function usePart<T>(part: LazyPart<T>): PartState<T> {
  return useSyncExternalStore(part.subscribe, part.state, part.state)
}
