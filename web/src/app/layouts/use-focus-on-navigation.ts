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
    const main = document.getElementById('main')
    const focusOn = (target: HTMLElement | null) => target?.focus({ preventScroll: true })
    if (left || heading()) {
      focusOn(left ?? heading())
      return
    }
    // The page is still loading: the focus goes on to its heading, unless the user moves it first.
    focusOn(main)
    const loading = new MutationObserver(() => {
      const arrived = heading()
      if (!arrived) return
      loading.disconnect()
      if (document.activeElement === main) focusOn(arrived)
    })
    if (main) loading.observe(main, { childList: true, subtree: true })
    return () => loading.disconnect()
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

const heading = () => document.querySelector<HTMLElement>('main h1[tabindex]')

const linkTo = (href: string | undefined) =>
  [...document.querySelectorAll<HTMLElement>('main a[href]')].find(
    (link) => link.getAttribute('href') === href,
  )
