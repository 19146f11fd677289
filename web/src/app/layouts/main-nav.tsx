import { memo } from 'react'
import { NavLink } from 'react-router'
import { cx } from '@/lib/cx'
import { prefetch } from '@/lib/prefetch'
import { useUser } from '@/lib/session'

const everyone = [
  { to: '/', label: 'Home' },
  { to: '/assignments', label: 'Assignments' },
  { to: '/about-Us', label: 'About Us' },
]

interface NavEntry {
  to: string
  label: string
}

const members = [
  { to: '/pending-assignments', label: 'Pending Assignments' },
  { to: '/create-assignment', label: 'Create Assignment' },
  // The path is the specification's spelling.
  { to: '/attemded-assignments', label: 'My Attempted Assignments' },
  { to: '/dashboard', label: 'Dashboard' },
  { to: '/circles', label: 'Circles' },
]

/** The header's navigation: what everyone may open, what users may, and what moderators may. Unfolding the menu does not draw it anew. */
export const MainNav = memo(function MainNav({ className }: { className: string }) {
  const user = useUser()
  const links = user ? [...everyone, ...members] : everyone
  return (
    <nav aria-label="Main">
      <ul
        className={cx(
          'grid gap-x-2 pb-4 max-xl:-mx-3 sm:grid-cols-2 md:grid-cols-3',
          className,
          user?.moderator && 'xl:[&_a]:px-1!',
        )}
      >
        {links.map((link) => (
          <Entry key={link.to} {...link} />
        ))}
        {user?.moderator && <Entry to="/moderation" label="Moderation" />}
      </ul>
    </nav>
  )
})

function Entry({ to, label }: NavEntry) {
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
