import { NavLink } from 'react-router'
import { Icon } from '@/components/ui/icons'
import { cx } from '@/lib/cx'
import { prefetch } from '@/lib/prefetch'
import { useUser } from '@/lib/session'
import { useAccess } from '@/lib/site'
import { pending, useWaiting } from './waiting'

const entries = () => [
  { to: '/', label: 'Home', lines: 'M3.5 11.5 12 4l8.5 7.5M6 9.5V20h12V9.5' },
  {
    to: pending,
    label: 'Pending',
    lines: 'M5 4h14v16H5zM8.5 9h7M8.5 13h3M12.5 16l1.5 1.5 3-3.5',
  },
  { to: '/create-assignment', label: 'Create', lines: 'M12 4.5v15M4.5 12h15' },
  {
    to: '/circles',
    label: 'Circles',
    lines:
      'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c0-8 13-8 13 0M16 4.5a3.5 3.5 0 0 1 0 6.5m2 3c2.5 1 3.5 3 3.5 6',
  },
  {
    to: '/profile',
    label: 'Me',
    lines: 'M12 11.5a3.7 3.7 0 1 0 0-7.4 3.7 3.7 0 0 0 0 7.4zM4.5 20.5c0-9 15-9 15 0',
  },
]

/** The user's most used pages, at the thumb on a phone. While the menu is unfolded, which has these links too, they are not there. */
export function Shortcuts() {
  const user = useUser()
  const { hall } = useAccess()
  if (!user) return null
  return (
    <nav
      aria-label="Shortcuts"
      className="shortcuts fixed inset-x-0 bottom-0 z-20 border-t border-line bg-paper pb-[env(safe-area-inset-bottom)] sm:hidden print:hidden"
    >
      <ul className="flex h-14">
        {entries().map(
          (entry) => (hall !== 'off' || entry.to !== pending) && <Shortcut key={entry.to} {...entry} />,
        )}
      </ul>
    </nav>
  )
}

function Shortcut({ to, label, lines }: ReturnType<typeof entries>[number]) {
  const { title, badge } = useWaiting(to)
  return (
    <li className="grow basis-0">
      <NavLink
        to={to}
        end
        title={title}
        onFocus={() => prefetch(to)}
        className={({ isActive }) =>
          cx(
            'grid h-full content-center justify-items-center text-xs font-semibold',
            isActive ? 'text-green' : 'text-soft',
          )
        }
      >
        <span className="relative px-2">
          <Icon>
            <path d={lines} />
          </Icon>
          {badge}
        </span>
        {label}
      </NavLink>
    </li>
  )
}
