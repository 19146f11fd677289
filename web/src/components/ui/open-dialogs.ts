/** What closes each modal dialog that is open; the topmost is the last. */
const closers: (() => void)[] = []

/** A dialog has opened. Call what this returns when it has closed. */
export function dialogOpened(close: () => void): () => void {
  closers.push(close)
  return () => void closers.splice(closers.lastIndexOf(close), 1)
}

export const isDialogOpen = () => closers.length > 0

/** As Esc does. */
export function closeTopDialog(): void {
  closers.at(-1)?.()
}
