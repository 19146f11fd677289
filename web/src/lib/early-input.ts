declare global {
  interface Window {
    /** The path and query that the first HTML was drawn for. */
    drawnAddress?: string
    /** The last button pressed before the app was there to hear of it: see index.html. */
    earlyClick?: EarlyClick | null
    keepEarlyClick?: (event: Event) => void
  }
}

/** A press of a button that is the `at`-th of the document. */
interface EarlyClick {
  at: number
  name: string | null
}

/** Ends the watch of index.html over buttons, and gives back the press that still waits for an answer. */
export function takeEarlyClick(): EarlyClick | null {
  if (window.keepEarlyClick) window.removeEventListener('click', window.keepEarlyClick, true)
  const pressed = window.earlyClick ?? null
  window.earlyClick = null
  return pressed
}

/** Presses the button of the same name in the same place, which stands for the one that was pressed. */
export function answerEarlyClick({ at, name }: EarlyClick): void {
  const button = document.querySelectorAll('button')[at]
  if (button && (button.ariaLabel ?? button.textContent) === name) button.click()
}
