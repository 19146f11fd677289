import { useEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'

/** The link one went on by, for each entry of the history. */
const leftBy = new Map<string, string>()

/**
 * After going to another page, focus is where that page starts: its heading, which screen readers then read, or else
 * its main part. After going back, it is at the link one had gone on by, which is where the page is scrolled to. Not
 * on the first page, where the browser does that by itself, and not while a dialog is open.
 */
export function useFocusOnNavigation(): void {
  const { pathname, key } = useLocation()
  const back = useNavigationType() === NavigationType.Pop
  const before = useRef(pathname)
  useEffect(() => {
    if (before.current === pathname) return
    before.current = pathname
    if (document.querySelector('dialog[open]')) return
    const left = back ? linkTo(leftBy.get(key)) : undefined
    const start = document.querySelector<HTMLElement>('main h1[tabindex]') ?? document.getElementById('main')
    const target = left ?? start
    target?.focus({ preventScroll: true })
  }, [pathname, key, back])

  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      const link = target instanceof Element ? target.closest('main a[href]') : null
      if (link) leftBy.set(key, link.getAttribute('href') ?? '')
    }
    document.addEventListener('focusin', remember)
    return () => document.removeEventListener('focusin', remember)
  }, [key])
}

const linkTo = (href: string | undefined) =>
  [...document.querySelectorAll<HTMLElement>('main a[href]')].find(
    (link) => link.getAttribute('href') === href,
  )
