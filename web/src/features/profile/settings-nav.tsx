import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import { AppLink } from '@/components/ui'
import { cx } from '@/lib/cx'

/** The parts of the profile page, in its order: the id of each, and its name in the list. */
const parts = [
  { id: 'you', name: () => t`You` },
  { id: 'sign-in', name: () => t`Sign-in` },
  { id: 'notifications', name: () => t`Notifications` },
  { id: 'calendar', name: () => t`Calendar` },
  { id: 'devices', name: () => t`Devices` },
  { id: 'looks', name: () => t`Appearance` },
  { id: 'data', name: () => t`Your data` },
  { id: 'delete', name: () => t`Delete account` },
] as const

/** Links to the parts of the profile page: beside them in a wide window, otherwise in one line above them. */
export function SettingsNav() {
  const shown = usePartInView()
  return (
    <nav
      aria-label={t`Settings`}
      className="-mx-4 min-w-0 border-b border-line px-4 lg:sticky lg:top-6 lg:mx-0 lg:self-start lg:border-0 lg:px-0"
    >
      <ul className="-mx-3 flex overflow-x-auto [scrollbar-width:none] lg:flex-col lg:gap-1">
        {parts.map(({ id, name }) => (
          <li key={id} className="shrink-0">
            <AppLink
              to={`/profile#${id}`}
              replace
              aria-current={shown === id ? 'location' : undefined}
              className={cx(
                'flex min-h-11 items-center rounded-control px-3 text-sm no-underline hover:bg-line/60 focus-visible:-outline-offset-3',
                shown === id
                  ? 'font-semibold text-green underline decoration-2 underline-offset-6 lg:bg-line/60 lg:no-underline'
                  : 'text-ink',
              )}
            >
              {name()}
            </AppLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** How far below the top of the window a part is the one in view, in pixels. */
const topMargin = 120

/** The id of the part at the top of the window. Of several, it is the one that the address names. */
function usePartInView(): string {
  const [shown, setShown] = useState<string>(parts[0].id)
  useEffect(() => {
    function look() {
      const topOf = (id: string) => document.getElementById(id)?.getBoundingClientRect().top ?? Infinity
      // Where the page ends, parts in view stay below the line.
      const atEnd = scrollY > 0 && innerHeight + scrollY >= document.documentElement.scrollHeight - 2
      const line = atEnd ? innerHeight : topMargin
      const passed = parts.map(({ id }) => id).filter((id) => topOf(id) < line)
      const chosen = passed.find((id) => `#${id}` === location.hash && topOf(id) >= 0)
      setShown(chosen ?? passed.at(-1) ?? parts[0].id)
    }
    look()
    addEventListener('scroll', look, { passive: true })
    return () => removeEventListener('scroll', look)
  }, [])
  return shown
}
