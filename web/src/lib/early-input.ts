declare global {
  interface Window {
    /** The path and query that the first HTML was drawn for. */
    drawnAddress?: string
    /** The last button pressed before the app was there to hear of it: see index.html. */
    earlyClick?: Element | null
    keepEarlyClick?: (event: Event) => void
  }
}

/**
 * Ends the watch of index.html over buttons of prerendered HTML, and gives back the one that still waits for an
 * answer. From here on React hears of clicks by itself.
 */
export function takeEarlyClick(): HTMLElement | null {
  if (window.keepEarlyClick) window.removeEventListener('click', window.keepEarlyClick, true)
  const pressed = window.earlyClick
  window.earlyClick = null
  return pressed instanceof HTMLElement && pressed.isConnected ? pressed : null
}
