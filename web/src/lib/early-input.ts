declare global {
  interface Window {
    /** The path and query that the first HTML was drawn for. */
    drawnAddress?: string
    /** The last button pressed before the app was there to hear of it: see index.html. */
    earlyClick?: Element | null
    keepEarlyClick?: (event: Event) => void
    /** The choices in selects until then; nothing afterwards. */
    earlyChoices?: Map<HTMLSelectElement, string> | null
  }
}

/**
 * Ends the watch of index.html over buttons of prerendered HTML, and gives back the one that still waits for an
 * answer. From here on React hears of clicks by itself, also of those that come before it has met all elements.
 */
export function takeEarlyClick(): HTMLElement | null {
  if (window.keepEarlyClick) window.removeEventListener('click', window.keepEarlyClick, true)
  const pressed = window.earlyClick
  window.earlyClick = null
  return pressed instanceof HTMLElement && pressed.isConnected ? pressed : null
}

/**
 * Likewise for choices in selects. Call the returned function once the app has been given the page: it makes
 * the choices again.
 */
export function takeEarlyChoices(): () => void {
  const chosen = window.earlyChoices ?? []
  window.earlyChoices = null
  return () => {
    for (const [select, value] of chosen) {
      select.value = value
      // As browsers do: React hydrates in the first event and handles the choice in the second.
      for (const type of ['input', 'change']) select.dispatchEvent(new Event(type, { bubbles: true }))
    }
  }
}

/** Whether Back or Forward came while the router was kept from them. */
let movedInHistory = false
const keepFromRouter = (event: PopStateEvent) => {
  movedInHistory = true
  event.stopImmediatePropagation()
}

/**
 * Keeps Back and Forward from a router that is yet to be made: while React hydrates, the router must stay at the
 * address that the HTML was drawn for.
 */
export function holdHistory(): void {
  window.addEventListener('popstate', keepFromRouter, true)
}

/** Ends `holdHistory`, and lets the router follow. */
export function releaseHistory(): void {
  window.removeEventListener('popstate', keepFromRouter, true)
  if (!movedInHistory) return
  movedInHistory = false
  window.dispatchEvent(new PopStateEvent('popstate', { state: window.history.state as unknown }))
}
