/**
 * Gives each open modal dialog an entry of the browser's history, so that Back closes the topmost dialog and stays on
 * the page, also on the first page of a document. Such an entry has the address and the router's state of its page, and
 * in `dialogs` how many dialogs are open there. The router does not see moves between the entries of one page.
 *
 * Entries follow dialogs, a moment later: sync adds those that are missing and leaves those of closed dialogs, and
 * navigation to another page waits until none is left (see useDialogHistory).
 */
interface EntryState {
  /** The router's. */
  key?: string
  idx?: number
  dialogs?: number
}

/** The functions that close the open dialogs, the topmost last. */
const closers: (() => void)[] = []
/** The page whose entries these are. */
let page = ''
/** A move by sync is under way, and ends with a popstate event. */
let moving = false
/** The router is on its way to another page: no entry is added until it has come there. */
let leaving = false
/** Its navigation, where that waits for the entries of dialogs to be left. */
let navigation: (() => void) | null = null

const stateOf = (state: unknown): EntryState => (typeof state === 'object' && state !== null ? state : {})
const pageOf = ({ key, idx }: EntryState) => `${idx} ${key}`
const entries = () => stateOf(history.state).dialogs ?? 0

/** Whether the router keeps its pages in the browser's history. One in memory, as tests have it, keeps nothing there. */
let kept = false

/** The app's router keeps its pages in the browser's history. */
export function keepDialogsInHistory(): void {
  kept = true
}

/** Adds a dialog. Call the returned function when it has closed. */
export function dialogOpened(close: () => void): () => void {
  closers.push(close)
  queueMicrotask(sync)
  return () => {
    const at = closers.lastIndexOf(close)
    if (at < 0) return
    closers.splice(at, 1)
    queueMicrotask(sync)
  }
}

/** The router starts to navigate. Reports whether it has to wait, as the present entry is that of a dialog. */
export function startNavigation(): boolean {
  leaving = true
  return entries() > 0 || moving
}

/** Leaves the entries of dialogs, then calls `navigate`. */
export function leaveDialogs(navigate: () => void): void {
  navigation = navigate
  sync()
}

/** The router has come to a page. */
export function arriveAtPage(): void {
  page = pageOf(stateOf(history.state))
  leaving = false
  sync()
}

function sync(): void {
  if (moving || !kept) return
  const wanted = leaving ? 0 : closers.length
  const surplus = entries() - wanted
  if (surplus > 0) {
    moving = true
    history.go(-surplus)
  } else if (leaving) {
    const navigate = navigation
    navigation = null
    navigate?.()
  } else {
    for (let dialogs = entries() + 1; dialogs <= wanted; dialogs++) {
      history.pushState({ ...stateOf(history.state), dialogs }, '')
    }
  }
}

function onPopState(event: PopStateEvent) {
  const state = stateOf(event.state)
  if (moving) {
    moving = false
    event.stopImmediatePropagation()
    sync()
  } else if (pageOf(state) !== page) {
    leaving = true
  } else if (closers.length > 0 || state.dialogs) {
    event.stopImmediatePropagation()
    for (const close of closers.splice(entries()).toReversed()) close()
    // Forward led to the entry of a dialog that has closed.
    sync()
  }
}

// Before the router's own listener. Pages are rendered in Node, too.
if (typeof window !== 'undefined') window.addEventListener('popstate', onPopState, true)
