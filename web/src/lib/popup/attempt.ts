import { t } from '@lingui/core/macro'

/** The reason why a sign-in through a pop-up failed: a code, and its meaning in words for the user. */
export interface Refusal {
  status: 'error'
  code: string
  message: string
}

/** The outcome of a sign-in through a pop-up, as reported to the page. */
export type Outcome =
  | { status: 'signed-in' }
  | { status: 'linked' }
  /** The user has to decide first; the ticket identifies the decision. */
  | { status: 'confirm'; ticket: string }
  | Refusal

/**
 * One attempt to sign in through a pop-up, as observed from the opening page. While the window shows
 * another site, only its `closed` can be read, and that is also true where the site cuts the ties between the
 * two windows (its Cross-Origin-Opener-Policy) and just before the result comes in. So a window counts as closed
 * when it seems so while this page has the focus, for as long as a result may take.
 */
export type Attempt =
  | { readonly at: 'open' }
  /** Seems closed, with this page in front, since this time (ms). */
  | { readonly at: 'closing'; readonly since: number }
  /** Said to be closed. A result that comes after all still counts. */
  | { readonly at: 'closed' }
  | { readonly at: 'over' }

export type PopupEvent =
  | { what: 'poll'; now: number; closed: boolean; focused: boolean }
  | { what: 'message'; origin: string; data: unknown }
  | { what: 'superseded' }

export const opened: Attempt = { at: 'open' }

/** From the end of the window until its message is here. */
const graceMs = 750

/** An attempt's next state, and the outcome to report to the page, if any. */
export function reduce(
  attempt: Attempt,
  event: PopupEvent,
  own: { id: string; origin: string },
): { attempt: Attempt; outcome?: Outcome } {
  if (attempt.at === 'over') return { attempt }
  switch (event.what) {
    case 'superseded':
      return {
        attempt: { at: 'over' },
        // After a reported close, the window's giving way is not reported.
        ...(attempt.at !== 'closed' && { outcome: failed('auth/cancelled-popup-request') }),
      }
    case 'message': {
      const outcome = event.origin === own.origin ? outcomeOf(event.data, own.id) : null
      return outcome ? { attempt: { at: 'over' }, outcome } : { attempt }
    }
    case 'poll':
      return poll(attempt, event)
  }
}

function poll(
  attempt: Attempt,
  { now, closed, focused }: { now: number; closed: boolean; focused: boolean },
): { attempt: Attempt; outcome?: Outcome } {
  if (attempt.at === 'closed') return { attempt }
  if (!closed || !focused) return { attempt: opened }
  if (attempt.at !== 'closing') return { attempt: { at: 'closing', since: now } }
  if (now - attempt.since < graceMs) return { attempt }
  return { attempt: { at: 'closed' }, outcome: failed('auth/popup-closed-by-user') }
}

/** The result of the attempt `id`, or null: another attempt's, or nothing that our own pages send. */
function outcomeOf(data: unknown, id: string): Outcome | null {
  if (typeof data !== 'object' || data === null) return null
  const { attempt, status, code, message, ticket } = data as Record<string, unknown>
  if (attempt !== id) return null
  if (status === 'signed-in' || status === 'linked') return { status }
  if (status === 'confirm' && typeof ticket === 'string' && ticket) return { status, ticket }
  if (status !== 'error' || typeof code !== 'string') return null
  return { status, code, message: typeof message === 'string' && message ? message : sentenceFor(code) }
}

const sentences = () => ({
  'auth/popup-blocked': t`Your browser blocked the sign-in window. Allow pop-ups for this page, then try again.`,
  'auth/popup-closed-by-user': t`The sign-in window was closed before you were done. Try again when you are ready.`,
  'auth/cancelled-popup-request': t`A newer sign-in window is open. Continue there.`,
  'auth/network-request-failed': t`The server cannot be reached. Check your connection and try again.`,
  'auth/web-storage-unsupported': t`Your browser blocks cookies for this page, and signing in needs one. Allow them here, then try again.`,
})

/** Failures on this side of the sign-in, by the codes that the specification names. */
export type LocalCode = keyof ReturnType<typeof sentences>

function sentenceFor(code: string): string {
  const all: Record<string, string> = sentences()
  return all[code] ?? t`Signing in did not work. Please try again.`
}

export function failed(code: LocalCode): Refusal {
  return { status: 'error', code, message: sentences()[code] }
}

/** This page stands at an address that the server was not set up for: neither message nor cookie would arrive. */
export function wrongAddress(publicOrigin: string): Refusal {
  return {
    status: 'error',
    code: 'auth/unauthorized-domain',
    message: t`Signing in this way works at ${publicOrigin} only. Open that address and try again.`,
  }
}
