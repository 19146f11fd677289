import { t } from '@lingui/core/macro'
import { memo, type ReactNode } from 'react'
import { NavLink } from 'react-router'
import { cx } from '@/lib/cx'
import { prefetch } from '@/lib/prefetch'
import { useUser } from '@/lib/session'
import { pending, useWaiting } from './waiting'
import { useAccess } from '@/lib/site'
import { useUnfolded } from '@/lib/use-unfolded'

interface NavEntry {
  to: string
  label: string
  /** It leads to the hall, and is not there without one. */
  inHall?: boolean
}

const create = '/create-assignment'

const everyone = (): NavEntry[] => [
  { to: '/', label: t`Home` },
  { to: '/assignments', label: t`Assignments`, inHall: true },
]

const members = (): NavEntry[] => [
  { to: pending, label: t`Pending Assignments`, inHall: true },
  { to: create, label: t`Create Assignment` },
  // The path is the specification's spelling.
  { to: '/attemded-assignments', label: t`My Attempted Assignments` },
  { to: '/dashboard', label: t`Dashboard` },
  { to: '/circles', label: t`Circles` },
]

/** The header's navigation: what everyone may open, what users may, and what moderators and operators may. Unfolding the menu does not draw it anew. */
export const MainNav = memo(function MainNav() {
  const user = useUser()
  const { hall } = useAccess()
  const duties = (
    <>
      {user?.moderator && <Entry to="/moderation" label={t`Moderation`} />}
      {user?.operator && <Entry to="/admin" label={t`Server`} />}
    </>
  )
  const links = user ? [...everyone(), ...members()] : everyone()
  return (
    <nav aria-label={t`Main`}>
      <ul
        className={cx(
          'grid gap-x-2 pb-4 max-lg:-mx-3 sm:grid-cols-2 md:grid-cols-3 lg:flex lg:items-center lg:justify-center lg:pb-0',
          user ? 'close-links lg:gap-0' : 'lg:gap-1',
        )}
      >
        {links.map(
          ({ to, label, inHall }) => (!inHall || hall !== 'off') && <Entry key={to} to={to} label={label} />,
        )}
        {user?.moderator && user.operator ? <More>{duties}</More> : duties}
        {(user || hall !== 'off') && <Entry to="/about-Us" label={t`About Us`} />}
      </ul>
    </nav>
  )
})

/**
 * Links that the bar has no room for, below a button at its end. Where the bar folds into the menu, they are links of the
 * menu like the others.
 */
function More({ children }: { children: ReactNode }) {
  const { open, unfold, around } = useUnfolded<HTMLLIElement>()
  return (
    <li ref={around} className="more">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => unfold(!open)}
        className={cx(entryClass, quietClass, 'max-lg:hidden')}
      >
        {t`More`}
      </button>
      <ul>{children}</ul>
    </li>
  )
}

const entryClass =
  'relative flex min-h-11 items-center rounded-control px-3 text-sm font-semibold whitespace-nowrap'
const quietClass = 'text-soft hover:bg-line/50 hover:text-ink'

function Entry({ to, label }: Pick<NavEntry, 'to' | 'label'>) {
  const { title, badge } = useWaiting(to)
  return (
    <li>
      <NavLink
        to={to}
        end
        caseSensitive
        title={title}
        onPointerEnter={() => prefetch(to)}
        onFocus={() => prefetch(to)}
        className={({ isActive }) =>
          cx(
            entryClass,
            to === create && 'bg-green text-on-green hover:bg-green-deep forced-colors:border',
            isActive && 'underline decoration-2 underline-offset-8',
            to !== create && (isActive ? 'text-green' : quietClass),
          )
        }
      >
        {label}
        {badge}
      </NavLink>
    </li>
  )
}
