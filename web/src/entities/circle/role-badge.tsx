import { t } from '@lingui/core/macro'
import { Badge } from '@/components/ui'
import type { Role } from '@/entities/circle/queries'

const words = (): Record<Role, string> => ({ owner: t`Owner`, organizer: t`Organizer`, member: t`Member` })

/** A role's word, in a ring that stands out for those who organize. */
export function RoleBadge({ role }: { role: Role }) {
  return <Badge tone={role === 'member' ? 'quiet' : 'success'}>{words()[role]}</Badge>
}
