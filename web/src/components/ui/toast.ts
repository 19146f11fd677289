import { fetchCode } from '@/lib/load-code'

/**
 * Shows a message for 5 s at the top right, below the header. What shows it is loaded on first use; where that
 * cannot be had, as offline, the message is shown without it. The promise resolves once the toast is on its way;
 * callers rarely wait for it.
 */
export async function toast(text: string, kind: 'success' | 'error' = 'success'): Promise<void> {
  try {
    const { show } = await fetchCode(() => import('./toaster'))
    show(text, kind)
  } catch {
    showPlain(text, kind)
  }
}

const shownMs = 5_000

function showPlain(text: string, kind: 'success' | 'error') {
  const message = document.createElement('p')
  message.role = kind === 'error' ? 'alert' : 'status'
  message.textContent = text
  message.className = 'plain-toast'
  const header = document.querySelector('header')
  message.style.insetBlockStart = `${Math.max(header?.getBoundingClientRect().bottom ?? 0, 0) + 16}px`
  document.body.append(message)
  setTimeout(() => message.remove(), shownMs)
}
