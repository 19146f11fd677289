/**
 * Keeps keys that belong to an input method from every other listener: while a Japanese or Chinese word is being
 * composed, Enter confirms it and Escape drops it. What the browser itself does with them goes on.
 */
export function leaveKeysToInputMethods(): void {
  window.addEventListener(
    'keydown',
    (event) => {
      // Safari reports the Enter that ends the composition as a key of its own, with the input method's code.
      if (event.isComposing || event.keyCode === 229) event.stopImmediatePropagation()
    },
    true,
  )
}
