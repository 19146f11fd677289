/** Prints one element of the page, and nothing else of it. */
export function printSheet(sheet: HTMLElement): void {
  sheet.dataset.sheet = ''
  addEventListener('afterprint', () => delete sheet.dataset.sheet, { once: true })
  window.print()
}
