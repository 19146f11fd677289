import { useLayoutEffect, useRef, type FocusEvent, type RefObject } from 'react'

interface RowFocus<Container extends HTMLElement> {
  /** For the element around the rows. */
  container: RefObject<Container | null>
  onFocus: (event: FocusEvent) => void
}

/**
 * Keeps the focus in place while rows come and go. When the focused control disappears, the first control of the row
 * in its position gets the focus, or `fallback` if no row is left.
 */
export function useRowFocus<Container extends HTMLElement>(
  rowSelector: string,
  fallback: RefObject<HTMLElement | null>,
): RowFocus<Container> {
  const container = useRef<Container>(null)
  const last = useRef<{ control: Element; index: number } | null>(null)
  const rows = () => Array.from(container.current?.querySelectorAll<HTMLElement>(rowSelector) ?? [])

  useLayoutEffect(() => {
    if (!last.current || last.current.control.isConnected) return
    const active = document.activeElement
    // In a dialog: it comes back here when that closes.
    if (active?.closest('dialog')) return
    const { index } = last.current
    last.current = null
    if (active && active !== document.body) return
    const left = rows()
    const next = left[Math.min(index, left.length - 1)]
    // Actions on a row before links away from it.
    const control = ['button:enabled', 'a']
      .map((kind) => next?.querySelector<HTMLElement>(kind))
      .find(Boolean)
    ;(control ?? fallback.current)?.focus()
  })

  return {
    container,
    onFocus: ({ target }) => {
      last.current = { control: target, index: rows().findIndex((row) => row.contains(target)) }
    },
  }
}
