import { emitLive, type LiveEvent } from '../live-events'
import { isProblem } from '../problem'
import { getSession, onSessionChange } from '../session'
import { readStream } from './stream'

/**
 * Live events in all tabs of a browser over one connection. The tab that holds the lock is the leader: it reads
 * the stream and broadcasts its events. Only visible tabs compete for the lock, and a tab that has been hidden for a
 * while releases it; the next leader continues from the last cursor it knows. While the connection is down, visible
 * answers are fetched again every half minute.
 */

/** After this long without an event the connection counts as down. */
const downMs = 30_000
const hiddenMs = 60_000
/** The leader's state for tabs that open later. */
const keepMs = 60_000
const keepEvents = 200
/** The time between two polls for changes. */
const roundMs = 1_000

type Post =
  | { type: 'event'; cursor: string; event: LiveEvent | null }
  /** A tab that has heard nothing since then. */
  | { type: 'hello'; since: number }

const channel = new BroadcastChannel('live')
const kept: { at: number; cursor: string; event: LiveEvent }[] = []
let cursor = ''
let heardAt = performance.timeOrigin
/** Leads, or waits for the lock in order to. */
let candidacy: AbortController | null = null
/** While this tab is the leader. */
let leading: AbortSignal | null = null
let connection: { user: string | null; end: AbortController } | null = null
let hiddenTimer = 0

/** Starts listening from the cursor of the first HTML; '' if it is unknown. */
export function startLive(from: string): void {
  cursor = from
  channel.addEventListener('message', ({ data }: MessageEvent<Post>) => receive(data))
  document.addEventListener('visibilitychange', followVisibility)
  window.addEventListener('pagehide', stop)
  window.addEventListener('pageshow', followVisibility)
  window.setInterval(askNowAndThen, downMs / 3)
  onSessionChange(reconnect)
  followVisibility()
}

function followVisibility() {
  window.clearTimeout(hiddenTimer)
  if (document.visibilityState === 'hidden') {
    hiddenTimer = window.setTimeout(stop, hiddenMs)
    return
  }
  start()
  if (!leading) catchUp()
  scheduleRound(0)
}

/** Asks the leader for events that this tab missed. */
function catchUp() {
  if (Date.now() - heardAt > keepMs) change({ kind: 'reset', id: '' })
  else channel.postMessage({ type: 'hello', since: heardAt - 2_000 } satisfies Post)
}

function receive(post: Post) {
  if (post.type === 'event') hear(post.cursor, post.event)
  else if (leading) repeat(post.since)
}

function repeat(since: number) {
  for (const past of kept) {
    if (past.at >= since)
      channel.postMessage({ type: 'event', cursor: past.cursor, event: past.event } satisfies Post)
  }
  channel.postMessage({ type: 'event', cursor, event: null } satisfies Post)
}

function hear(at: string, event: LiveEvent | null) {
  heardAt = Date.now()
  cursor = at
  if (event) change(event)
}

function start() {
  if (candidacy) return
  const controller = new AbortController()
  candidacy = controller
  void lead(controller.signal, () => read(controller.signal)).catch(() => undefined)
}

function stop() {
  candidacy?.abort()
  candidacy = null
}

/** Another person needs another stream. Reading goes on at once under the same lock. */
function reconnect() {
  if (connection?.user !== userEmail()) connection?.end.abort()
}

/** Pages without TLS have no locks; there each tab reads for itself. */
async function lead(signal: AbortSignal, task: () => Promise<void>) {
  if ('locks' in navigator) await navigator.locks.request('live', { signal }, task)
  else await task()
}

async function read(signal: AbortSignal) {
  if (signal.aborted) return
  leading = signal
  let failures = 0
  while (!signal.aborted) {
    const user = userEmail()
    const end = new AbortController()
    connection = { user, end }
    let opened = false
    let wait = 0
    try {
      await readStream(cursor, AbortSignal.any([signal, end.signal]), (message) => {
        if (!opened && !cursor) change({ kind: 'reset', id: '' })
        opened = true
        tell(message.cursor, message.event)
      })
    } catch (error) {
      wait = isProblem(error) && error.retryAfter ? error.retryAfter * 1_000 : 0
    }
    failures = opened ? 0 : failures + 1
    if (user !== userEmail()) continue
    const backoff = Math.min(30_000, 500 * 2 ** failures)
    await pause(Math.max(wait * (1 + Math.random()), backoff * (0.5 + Math.random())), signal)
  }
  if (leading === signal) leading = null
}

function tell(at: string, event: LiveEvent | null) {
  if (event) {
    kept.push({ at: Date.now(), cursor: at, event })
    if (kept.length > keepEvents) {
      const reset = { at: Date.now(), cursor: at, event: { kind: 'reset', id: '' } }
      kept.splice(0, kept.length - keepEvents, reset)
    }
    while (kept[0] && kept[0].at < Date.now() - keepMs) kept.shift()
  }
  channel.postMessage({ type: 'event', cursor: at, event } satisfies Post)
  hear(at, event)
}

function userEmail(): string | null {
  const session = getSession()
  return session.status === 'in' ? session.user.email : null
}

/** Ends early when the network comes back, or the page is left. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      window.clearTimeout(timer)
      window.removeEventListener('online', done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = window.setTimeout(done, ms)
    window.addEventListener('online', done)
    signal.addEventListener('abort', done)
  })
}

function askNowAndThen() {
  if (document.visibilityState === 'hidden' || !navigator.onLine || Date.now() - heardAt < downMs) return
  heardAt = Date.now()
  change({ kind: 'reset', id: '' })
}

/** Events whose answers are not fetched yet: a hidden tab fetches nothing. */
const changed = new Map<string, LiveEvent>()
let nextRound = 0
let roundTimer = 0

function change(event: LiveEvent) {
  if (event.kind === 'reset') changed.clear()
  changed.set(event.kind + event.id, event)
  // Not all browsers at the same moment.
  scheduleRound(Math.random() * 300)
}

function scheduleRound(delay: number) {
  if (roundTimer || changed.size === 0 || document.visibilityState === 'hidden') return
  roundTimer = window.setTimeout(round, Math.max(delay, nextRound - Date.now()))
}

function round() {
  roundTimer = 0
  nextRound = Date.now() + roundMs
  const events = Array.from(changed.values())
  changed.clear()
  for (const event of events) emitLive(event)
}
