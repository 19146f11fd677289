import { useEffect, useId, useState } from 'react'
import { useLocation } from 'react-router'
import { AppLink, Avatar, MenuIcon } from '@/components/ui'
import { cx } from '@/lib/cx'
import { useUser } from '@/lib/session'
import { AccountLinks } from './account-links'
import { DarkModeSwitch } from './dark-mode-switch'
import { Logo } from './logo'
import { MainNav } from './main-nav'

/** Top bar and navigation: two rows, one on a wide screen, and a folded menu on a phone. */
export function Header() {
  const user = useUser()
  const navId = useId()
  const { key } = useLocation()
  // The menu is open on the page it was opened on; going anywhere folds it.
  const [openOn, setOpenOn] = useState<string | null>(null)
  const open = openOn === key
  useEffect(() => {
    if (!open) return
    const foldOnEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setOpenOn(null)
    }
    document.addEventListener('keydown', foldOnEscape)
    return () => document.removeEventListener('keydown', foldOnEscape)
  }, [open])
  return (
    <header className="border-b border-line bg-paper">
      <div className="mx-auto grid w-[min(100%-2rem,76rem)] grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 [grid-template-areas:'logo_account'_'nav_nav'] xl:grid-cols-[auto_minmax(0,1fr)_auto] xl:[grid-template-areas:'logo_nav_account']">
        <div className="flex py-2 [grid-area:logo] md:py-3">
          <Logo />
        </div>
        <div className="flex items-center gap-1 [grid-area:account] sm:gap-2">
          <DarkModeSwitch />
          <AccountLinks className="hidden md:flex" />
          {user ? (
            <AppLink to="/profile" className="grid size-11 place-items-center rounded-full">
              <Avatar name={user.displayName} photoURL={user.photoURL} />
            </AppLink>
          ) : (
            <Avatar />
          )}
          <button
            type="button"
            aria-label="Menu"
            aria-expanded={open}
            aria-controls={navId}
            onClick={() => setOpenOn(open ? null : key)}
            className="grid size-11 place-items-center rounded-control hover:bg-line/60 md:hidden"
          >
            <MenuIcon open={open} />
          </button>
        </div>
        <div id={navId} className={cx('[grid-area:nav] md:block', !open && 'hidden')}>
          <MainNav />
          <AccountLinks className="flex border-t border-line py-4 md:hidden" />
        </div>
      </div>
    </header>
  )
}
