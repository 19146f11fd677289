import { useSyncExternalStore } from 'react'
import type { SessionUser } from './boot'
import { clearCache } from './cache'

export type Session =
  | { status: 'loading' }
  /** `left`: by signing out here, not in another tab or because the session ran out. */
  | { status: 'out'; left: boolean }
  | { status: 'in'; user: SessionUser; tokenSince: number }

/** Access tokens live 15 minutes; a call made later than this asks for a new one first. */
const tokenUsableMs = 13 * 60_000

let session: Session = { status: 'loading' }
const listeners = new Set<() => void>()
// Not while prerendering: in Node an open channel would keep the process from ending.
const channel = typeof document === 'undefined' ? null : new BroadcastChannel('session')

function become(next: Session) {
  const before = emailOf(session)
  session = next
  // Another person, or nobody: nothing of the one before may stay on screen.
  if (before !== emailOf(next)) clearCache()
  for (const listener of listeners) listener()
}

function emailOf(some: Session): string | null {
  return some.status === 'in' ? some.user.email : null
}

export function getSession(): Session {
  return session
}

/** Takes what the first HTML said, without telling other tabs. */
export function startSession(user: SessionUser | null): void {
  become(user ? { status: 'in', user, tokenSince: Date.now() } : { status: 'out', left: false })
}

/** Somebody signed in here, or changed their name or photo; other tabs follow. */
export function signedIn(user: SessionUser): void {
  startSession(user)
  channel?.postMessage('changed')
}

/** The user signed out here; other tabs follow. */
export function signedOut(): void {
  become({ status: 'out', left: true })
  channel?.postMessage('out')
}

export function tokenIsOld(): boolean {
  return session.status === 'in' && Date.now() - session.tokenSince > tokenUsableMs
}

/** Calls back when another tab signs in or changes the profile; signing out there is followed here by itself. */
export function followOtherTabs(onChange: () => void): void {
  channel?.addEventListener('message', ({ data }) => {
    if (data === 'out') startSession(null)
    else onChange()
  })
}

/** Calls back whenever the session changes, until what it returns is called. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useSession(): Session {
  return useSyncExternalStore(onSessionChange, getSession, getSession)
}

/** The signed-in user, or null. */
export function useUser(): SessionUser | null {
  const current = useSession()
  return current.status === 'in' ? current.user : null
}
