import { memo } from 'react'
import { NavLink } from 'react-router'
import { cx } from '@/lib/cx'
import { prefetch } from '@/lib/prefetch'
import { useUser } from '@/lib/session'
import { useAccess } from '@/lib/site'

interface NavEntry {
  to: string
  label: string
  /** Where the hall is off: shown to no one, or to users only. */
  withoutHall?: 'hidden' | 'users'
}

const everyone: NavEntry[] = [
  { to: '/', label: 'Home' },
  { to: '/assignments', label: 'Assignments', withoutHall: 'hidden' },
  { to: '/about-Us', label: 'About Us', withoutHall: 'users' },
]

const members: NavEntry[] = [
  { to: '/pending-assignments', label: 'Pending Assignments', withoutHall: 'hidden' },
  { to: '/create-assignment', label: 'Create Assignment' },
  // The path is the specification's spelling.
  { to: '/attemded-assignments', label: 'My Attempted Assignments' },
  { to: '/dashboard', label: 'Dashboard' },
  { to: '/circles', label: 'Circles' },
]

/** The header's navigation: what everyone may open, what users may, and what moderators and operators may. Unfolding the menu does not draw it anew. */
export const MainNav = memo(function MainNav({ className }: { className: string }) {
  const user = useUser()
  const { hall } = useAccess()
  const links = user ? [...everyone, ...members] : everyone
  return (
    <nav aria-label="Main">
      <ul
        className={cx(
          'grid gap-x-2 pb-4 max-xl:-mx-3 sm:grid-cols-2 md:grid-cols-3',
          className,
          (user?.moderator || user?.operator) && 'xl:[&_a]:px-1!',
        )}
      >
        {links.map(({ to, label, withoutHall }) => {
          const always = !withoutHall || (withoutHall === 'users' && user !== null)
          if (always) return <Entry key={to} to={to} label={label} />
          return hall === 'off' ? null : <Entry key={to} to={to} label={label} />
        })}
        {user?.moderator && <Entry to="/moderation" label="Moderation" />}
        {user?.operator && <Entry to="/admin" label="Server" />}
      </ul>
    </nav>
  )
})

function Entry({ to, label }: Pick<NavEntry, 'to' | 'label'>) {
  return (
    <li>
      <NavLink
        to={to}
        end
        caseSensitive
        onPointerEnter={() => prefetch(to)}
        onFocus={() => prefetch(to)}
        className={({ isActive }) =>
          cx(
            'flex min-h-11 items-center rounded-control px-3 text-sm font-semibold whitespace-nowrap',
            isActive
              ? 'text-green underline decoration-2 underline-offset-8'
              : 'text-soft hover:bg-line/50 hover:text-ink',
          )
        }
      >
        {label}
      </NavLink>
    </li>
  )
}
