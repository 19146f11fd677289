declare global {
  interface Window {
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
