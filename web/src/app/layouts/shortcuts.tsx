import { NavLink } from 'react-router'
import { Icon } from '@/components/ui/icons'
import { useUser } from '@/lib/session'
import { useAccess } from '@/lib/site'
import { pending, useWaiting } from './waiting'

const entries = () => [
  { to: '/', label: 'Home', lines: 'M4 11l8-7 8 7M6 9.5V20h12V9.5' },
  { to: pending, label: 'Pending', lines: 'M5 4h14v16H5zM9 9h6M9 13h6' },
  { to: '/create-assignment', label: 'Create', lines: 'M12 5v14M5 12h14' },
  {
    to: '/circles',
    label: 'Circles',
    lines: 'M14 12a5 5 0 1 1-10 0 5 5 0 0 1 10 0M20 12a5 5 0 1 1-10 0 5 5 0 0 1 10 0',
  },
  { to: '/profile', label: 'Me', lines: 'M16 8a4 4 0 1 1-8 0 4 4 0 0 1 8 0M4 20.5c0-8 16-8 16 0' },
]

/** The user's most used pages, at the thumb on a phone. While the menu is unfolded, which has these links too, they are not there. */
export function Shortcuts() {
  const user = useUser()
  const { hall } = useAccess()
  if (!user) return null
  return (
    <nav aria-label="Shortcuts" className="shortcuts sm:hidden print:hidden">
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
        className="grid h-full content-center justify-items-center text-xs font-semibold text-soft aria-[current=page]:text-green"
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
