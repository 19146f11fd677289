import { useSyncExternalStore } from 'react'
import type { SessionUser } from './boot'
import { dropAllDrafts, keepDraftsOf, keepDraftsOfVisitor } from './drafts'

export type Session =
  /** `problem`: why the latest attempt to read the session failed. */
  | { status: 'loading'; problem?: unknown }
  /** `left`: by signing out here, not in another tab or because the session ran out. */
  | { status: 'out'; left: boolean }
  | { status: 'in'; user: SessionUser; tokenSince: number }

/** Access tokens live 15 minutes; a call made later than this asks for a new one first. */
const tokenUsableMs = 13 * 60_000

let session: Session = { status: 'loading' }
const listeners = new Set<() => void>()
// Not at build: in Node an open channel would keep the process alive.
const channel = typeof document === 'undefined' ? null : new BroadcastChannel('session')

function become(next: Session) {
  session = next
  if (next.status === 'in') keepDraftsOf(next.user.email)
  else keepDraftsOfVisitor()
  for (const listener of listeners) listener()
}

/** The signed-in user's email address; null for a visitor and while the session is unknown. */
export function userEmail(): string | null {
  return session.status === 'in' ? session.user.email : null
}

export function getSession(): Session {
  return session
}

/** Starts the session that the first HTML brought, without notifying other tabs. */
export function startSession(user: SessionUser | null): void {
  become(user ? { status: 'in', user, tokenSince: Date.now() } : { status: 'out', left: false })
}

/** A user signed in here, or changed their name or photo; other tabs follow. */
export function signedIn(user: SessionUser): void {
  startSession(user)
  channel?.postMessage('changed')
}

/** The session could not be read. A known session stays: no answer does not sign the user out. */
export function sessionUnanswered(problem: unknown): void {
  if (session.status === 'loading') become({ status: 'loading', problem })
}

/** The user signed out here; other tabs follow. */
export function signedOut(): void {
  dropAllDrafts()
  become({ status: 'out', left: true })
  channel?.postMessage('out')
}

export function tokenIsOld(): boolean {
  return session.status === 'in' && Date.now() - session.tokenSince > tokenUsableMs
}

/** Calls back when another tab signs in or changes the profile; signing out there is followed here by itself. */
export function followOtherTabs(onChange: () => void): void {
  channel?.addEventListener('message', ({ data }) => {
    if (data === 'out') {
      dropAllDrafts()
      startSession(null)
    } else {
      // Another one of the same content: what is on its way may be of before the change.
      session = { ...session }
      onChange()
    }
  })
}

/** Calls back whenever the session changes, until the returned function is called. */
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
