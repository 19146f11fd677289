import { memo, useId, useState, type ReactNode } from 'react'
import { NavLink, useLocation } from 'react-router'
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
  const id = useId()
  const { key } = useLocation()
  const [openOn, setOpenOn] = useState<string | null>(null)
  const open = openOn === key
  return (
    <li
      className="relative max-xl:contents"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setOpenOn(null)
      }}
      onKeyDown={({ key: pressed, currentTarget }) => {
        if (pressed !== 'Escape' || !open) return
        setOpenOn(null)
        currentTarget.querySelector('button')?.focus()
      }}
    >
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpenOn(open ? null : key)}
        className={cx(entryClass, 'px-1 text-soft hover:bg-line/50 hover:text-ink max-xl:hidden xl:text-xs')}
      >
        More
      </button>
      <ul
        id={id}
        className={cx(
          'max-xl:contents xl:absolute xl:end-0 xl:top-full xl:z-20 xl:min-w-36 xl:rounded-card xl:border xl:border-line xl:bg-raised xl:p-2 xl:shadow-lift xl:[&_a]:px-3!',
          !open && 'xl:hidden',
        )}
      >
        {children}
      </ul>
    </li>
  )
}

const entryClass = 'flex min-h-11 items-center rounded-control text-sm font-semibold whitespace-nowrap'

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
            entryClass,
            'px-3',
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
