import { t } from '@lingui/core/macro'
import { NavLink } from 'react-router'
import { Icon } from '@/components/ui/icons'
import { useUser } from '@/lib/session'
import { useAccess } from '@/lib/site'
import { pending, useWaiting } from './waiting'

const entries = () => [
  { to: '/', label: t`Home` },
  { to: pending, label: t`Pending` },
  { to: '/create-assignment', label: t`Create` },
  { to: '/circles', label: t`Circles` },
  { to: '/profile', label: t`Me` },
]

/** The user's most used pages, at the thumb on a phone. While the menu is unfolded, which has these links too, they are not there. */
export function Shortcuts() {
  const user = useUser()
  const { hall } = useAccess()
  if (!user) return null
  return (
    <nav aria-label={t`Shortcuts`} className="shortcuts">
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
            <use href={`/art/shortcuts.svg#${to.slice(1) || 'home'}`} />
          </Icon>
          {badge}
        </span>
        {label}
      </NavLink>
    </li>
  )
}
