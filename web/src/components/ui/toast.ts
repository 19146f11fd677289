/**
 * Shows a message for 5 s at the top right, below the header. What shows it is loaded on first use.
 * The promise resolves once the toast is on its way; callers rarely wait for it.
 */
export async function toast(text: string, kind: 'success' | 'error' = 'success'): Promise<void> {
  const { show } = await import('./toaster')
  show(text, kind)
}
