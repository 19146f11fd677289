import { memo, type ReactNode } from 'react'
import { NavLink } from 'react-router'
import { cx } from '@/lib/cx'
import { prefetch } from '@/lib/prefetch'
import { useUser } from '@/lib/session'
import { useAccess } from '@/lib/site'
import { useUnfolded } from '@/lib/use-unfolded'

interface NavEntry {
  to: string
  label: string
  /** Where the hall is off: shown to no one, or to users only. */
  withoutHall?: 'hidden' | 'users'
}

const everyone = (): NavEntry[] => [
  { to: '/', label: 'Home' },
  { to: '/assignments', label: 'Assignments', withoutHall: 'hidden' },
  { to: '/about-Us', label: 'About Us', withoutHall: 'users' },
]

const members = (): NavEntry[] => [
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
  const links = user ? [...everyone(), ...members()] : everyone()
  return (
    <nav aria-label="Main">
      <ul
        className={cx(
          'grid gap-x-2 pb-4 max-xl:-mx-3 sm:grid-cols-2 md:grid-cols-3',
          className,
          (user?.moderator || user?.operator) && 'xl:[&>li>:not(ul)]:px-1!',
        )}
      >
        {links.map(({ to, label, withoutHall }) => {
          const always = !withoutHall || (withoutHall === 'users' && user !== null)
          if (always) return <Entry key={to} to={to} label={label} />
          return hall === 'off' ? null : <Entry key={to} to={to} label={label} />
        })}
        {user?.moderator && user.operator ? (
          <More>
            <Entry to="/moderation" label="Moderation" />
            <Entry to="/admin" label="Server" />
          </More>
        ) : (
          <>
            {user?.moderator && <Entry to="/moderation" label="Moderation" />}
            {user?.operator && <Entry to="/admin" label="Server" />}
          </>
        )}
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
        className={cx(entryClass, quietClass, 'max-xl:hidden')}
      >
        More
      </button>
      <ul>{children}</ul>
    </li>
  )
}

const entryClass = 'flex min-h-11 items-center rounded-control px-3 text-sm font-semibold whitespace-nowrap'
const quietClass = 'text-soft hover:bg-line/50 hover:text-ink'

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
          cx(entryClass, isActive ? 'text-green underline decoration-2 underline-offset-8' : quietClass)
        }
      >
        {label}
      </NavLink>
    </li>
  )
}
