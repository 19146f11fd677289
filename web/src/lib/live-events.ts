import { useEffect, useEffectEvent } from 'react'

/** Something has changed: what, and which one. `reset`: anything may have. */
export interface LiveEvent {
  kind: string
  id: string
}

const listeners = new Set<(event: LiveEvent) => void>()

export function emitLive(event: LiveEvent): void {
  for (const listener of listeners) listener(event)
}

export function onLive(listener: (event: LiveEvent) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Calls back in a component for other users' changes while it is shown. */
export function useLive(listener: (event: LiveEvent) => void): void {
  const latest = useEffectEvent(listener)
  useEffect(() => onLive((event) => latest(event)), [])
}
