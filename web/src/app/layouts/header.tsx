import { t } from '@lingui/core/macro'
import { useId } from 'react'
import { AppLink, Avatar, MenuIcon } from '@/components/ui'
import { Bell } from '@/features/notifications/bell'
import { FindButton } from '@/features/search/find-button'
import { cx } from '@/lib/cx'
import { useUser } from '@/lib/session'
import { useUnfolded } from '@/lib/use-unfolded'
import { AccountLinks } from './account-links'
import { DarkModeSwitch } from './dark-mode-switch'
import { Logo } from './logo'
import { MainNav } from './main-nav'

/** Top bar and navigation in one row; where the links find no room in it, they unfold below it. */
export function Header() {
  const user = useUser()
  const navId = useId()
  const { open, unfold } = useUnfolded()
  return (
    <header className="border-b border-line bg-paper print:hidden">
      {/* The order in the source is the order of the keyboard: the menu's links come right after its button. */}
      <div
        className={cx(
          "mx-auto grid w-[min(100%-2rem,76rem)] grid-cols-[minmax(0,1fr)_auto_auto] items-center gap-x-1 [grid-template-areas:'logo_menu_account'_'nav_nav_nav'] sm:gap-x-2 lg:[grid-template-areas:'logo_nav_account']",
          user ? 'lg:grid-cols-[minmax(0,1fr)_auto_auto]' : 'lg:grid-cols-[auto_minmax(0,1fr)_auto]',
        )}
      >
        <div className="flex min-w-0 py-2 [grid-area:logo] md:py-3">
          <Logo crowded={user !== null} />
        </div>
        <button
          type="button"
          aria-label={t`Menu`}
          aria-expanded={open}
          aria-controls={navId}
          onClick={() => unfold(!open)}
          className="menu grid size-11 place-items-center rounded-control [grid-area:menu] hover:bg-line/60 lg:hidden"
        >
          <MenuIcon open={open} />
        </button>
        <div id={navId} className={cx('[grid-area:nav] lg:block', !open && 'hidden')}>
          <MainNav />
          <AccountLinks className="flex border-t border-line py-4 sm:hidden" />
        </div>
        <div className="flex items-center gap-1 [grid-area:account]">
          <DarkModeSwitch />
          {user && <FindButton key={user.email} />}
          <AccountLinks className="hidden sm:flex" />
          {user && <Bell email={user.email} />}
          {user ? (
            <AppLink to="/profile" className="grid size-11 place-items-center rounded-full">
              <Avatar name={user.displayName} photoURL={user.photoURL} />
            </AppLink>
          ) : (
            <Avatar />
          )}
        </div>
      </div>
    </header>
  )
}
