/**
 * Keeps the wheel from changing the number in the focused box: the page scrolls, as over any other part. A browser
 * changes no box that is read-only while it acts on the wheel, and the box keeps the focus.
 */
export function keepNumbersFromTheWheel(): void {
  window.addEventListener(
    'wheel',
    ({ target }) => {
      if (!(target instanceof HTMLInputElement) || target.type !== 'number' || target.readOnly) return
      target.readOnly = true
      setTimeout(() => {
        target.readOnly = false
      })
    },
    { capture: true, passive: true },
  )
}
