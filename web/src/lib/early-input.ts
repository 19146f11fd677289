declare global {
  interface Window {
    /** The last button pressed before the app was there to hear of it: see index.html. */
    earlyClick?: Element | null
    keepEarlyClick?: (event: Event) => void
    /** What was chosen in selects until then. */
    earlyChoices?: Map<HTMLSelectElement, string>
    keepEarlyChoice?: (event: Event) => void
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
 * Likewise for what was chosen in selects. What it gives back is called once the app has been given the page: it makes
 * the choices again, which the app overwrites with what it knew.
 */
export function takeEarlyChoices(): () => void {
  if (window.keepEarlyChoice) window.removeEventListener('change', window.keepEarlyChoice, true)
  const chosen = [...(window.earlyChoices ?? [])]
  window.earlyChoices?.clear()
  return () => {
    for (const [select, value] of chosen) {
      // An event has React meet the elements around it at once, and then hear of it.
      select.dispatchEvent(new Event('input', { bubbles: true }))
      select.value = value
      select.dispatchEvent(new Event('change', { bubbles: true }))
    }
  }
}
