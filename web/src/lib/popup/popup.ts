import { explain, isProblem } from '@/lib/problem'
import { failed, reduce, opened, wrongAddress, type Attempt, type PopupEvent, type Outcome } from './attempt'

interface PopupOptions {
  /** Which of the configured providers signs in. */
  provider: string
  /** Where the server says it is reached; null where it has not said. */
  publicOrigin: string | null
  /** Asks for the permission to link instead of signing in, or to register by an invitation. */
  ticket?: () => Promise<string>
  /** Called a second time where a window that seemed closed comes to an end after all. */
  onOutcome: (outcome: Outcome) => void
}

const pollEveryMs = 250
/** One window at a time: a newer one takes over. */
let newest: { supersede: () => void } | null = null

/**
 * Opens the provider's sign-in in a window of its own. Call it in a click: browsers block other windows.
 * Returns a function that closes the window silently.
 */
export function openPopup(options: PopupOptions): () => void {
  newest?.supersede()
  newest = null
  const impossible = obstacle(options.publicOrigin)
  if (impossible) return end(options, impossible)

  const id = randomId()
  const address = new URL(`/api/auth/oidc/${encodeURIComponent(options.provider)}`, window.location.origin)
  address.searchParams.set('attempt', id)
  // The ticket is asked for while the window is open already; a window opened after an answer would be blocked.
  const popup = window.open(options.ticket ? 'about:blank' : address, `sign-in-${id}`, features())
  if (!popup || popup.closed) return end(options, failed('auth/popup-blocked'))
  return watch(popup, id, address, options)
}

function end({ onOutcome }: PopupOptions, outcome: Outcome): () => void {
  onOutcome(outcome)
  return () => undefined
}

/** Not `randomUUID`, which browsers keep for secure addresses. */
function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

/** Reasons why a window cannot open, known beforehand. */
function obstacle(publicOrigin: string | null): Outcome | null {
  if (publicOrigin !== null && publicOrigin !== window.location.origin) return wrongAddress(publicOrigin)
  if (!navigator.cookieEnabled || !('BroadcastChannel' in window)) {
    return failed('auth/web-storage-unsupported')
  }
  return navigator.onLine ? null : failed('auth/network-request-failed')
}

function watch(popup: Window, id: string, address: URL, options: PopupOptions): () => void {
  let attempt: Attempt = opened
  const channel = new BroadcastChannel('studycircle-sign-in')
  const own = { id, origin: window.location.origin }

  function dispatch(event: PopupEvent) {
    const step = reduce(attempt, event, own)
    attempt = step.attempt
    if (attempt.at === 'closed' || attempt.at === 'over') clearInterval(timer)
    if (attempt.at === 'over') channel.close()
    if (step.outcome) options.onOutcome(step.outcome)
  }

  const timer = setInterval(
    () =>
      dispatch({
        what: 'poll',
        now: performance.now(),
        closed: popup.closed,
        focused: document.hasFocus(),
      }),
    pollEveryMs,
  )
  channel.addEventListener('message', ({ origin, data }) => dispatch({ what: 'message', origin, data }))

  async function sendOn(ticket: () => Promise<string>) {
    try {
      address.searchParams.set('ticket', await ticket())
      popup.location.replace(address)
    } catch (error) {
      if (attempt.at !== 'open') return
      abandon()
      options.onOutcome({
        status: 'error',
        code: isProblem(error) ? error.code : '',
        message: explain(error),
      })
    }
  }

  const abandon = () => {
    attempt = { at: 'over' }
    clearInterval(timer)
    channel.close()
    popup.close()
  }
  newest = {
    supersede: () => {
      dispatch({ what: 'superseded' })
      popup.close()
    },
  }
  if (options.ticket) void sendOn(options.ticket)
  return abandon
}

/** A window in the middle of this one, of a size that providers' pages are made for. */
function features(): string {
  const [width, height] = [500, 640]
  const left = Math.round(window.screenX + (window.outerWidth - width) / 2)
  const top = Math.round(window.screenY + (window.outerHeight - height) / 2)
  return `popup,width=${width},height=${height},left=${left},top=${top}`
}
