import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/**
 * After going to another page, focus is where that page starts: its heading, which screen readers then read, or else its main part.
 * Not on the first page, where the browser does that by itself, and not while a dialog is open.
 */
export function useFocusOnNavigation(): void {
  const { pathname } = useLocation()
  const before = useRef(pathname)
  useEffect(() => {
    if (before.current === pathname) return
    before.current = pathname
    if (document.querySelector('dialog[open]')) return
    const target = document.querySelector<HTMLElement>('main h1[tabindex]') ?? document.getElementById('main')
    target?.focus({ preventScroll: true })
  }, [pathname])
}
