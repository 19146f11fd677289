/**
 * Begins once the page is loaded and the browser has nothing better to do; in a busy one after `timeoutMs`.
 * The returned function cancels it.
 */
export function whenIdle(begin: () => void, timeoutMs: number): () => void {
  const left = new AbortController()
  const unlessLeft = () => {
    if (!left.signal.aborted) begin()
  }
  // Safari has no idle callbacks.
  const idle = () =>
    'requestIdleCallback' in window
      ? window.requestIdleCallback(unlessLeft, { timeout: timeoutMs })
      : setTimeout(unlessLeft, timeoutMs / 3)
  if (document.readyState === 'complete') idle()
  else window.addEventListener('load', idle, { once: true, signal: left.signal })
  return () => left.abort()
}
