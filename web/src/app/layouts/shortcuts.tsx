import { NavLink } from 'react-router'
import { Icon } from '@/components/ui/icons'
import { useUser } from '@/lib/session'
import { useAccess } from '@/lib/site'
import { pending, useWaiting } from './waiting'

const entries = () => [
  { to: '/', label: 'Home' },
  { to: pending, label: 'Pending' },
  { to: '/create-assignment', label: 'Create' },
  { to: '/circles', label: 'Circles' },
  { to: '/profile', label: 'Me' },
]

/** The user's most used pages, at the thumb on a phone. While the menu is unfolded, which has these links too, they are not there. */
export function Shortcuts() {
  const user = useUser()
  const { hall } = useAccess()
  if (!user) return null
  return (
    <nav aria-label="Shortcuts" className="shortcuts">
      <ul>
        {entries().map(
          (entry) => (hall !== 'off' || entry.to !== pending) && <Shortcut key={entry.to} {...entry} />,
        )}
      </ul>
    </nav>
  )
}

function Shortcut({ to, label }: ReturnType<typeof entries>[number]) {
  const { title, badge } = useWaiting(to)
  return (
    <li>
      <NavLink to={to} end title={title}>
        <span>
          <Icon>
            <use href={`/art/shortcuts.svg#${label}`} />
          </Icon>
          {badge}
        </span>
        {label}
      </NavLink>
    </li>
  )
}
