declare global {
  interface Window {
    /** The last button pressed before the app was there to hear of it: see index.html. */
    earlyClick?: Element | null
    keepEarlyClick?: (event: Event) => void
    /** The selects in which something was chosen until then. */
    earlyChoices?: Set<HTMLSelectElement>
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

/** Likewise for selects: gives back those in which something was chosen, whose `change` nobody has heard. */
export function takeEarlyChoices(): HTMLSelectElement[] {
  if (window.keepEarlyChoice) window.removeEventListener('change', window.keepEarlyChoice, true)
  const chosen = [...(window.earlyChoices ?? [])]
  window.earlyChoices?.clear()
  return chosen.filter((select) => select.isConnected)
}
