import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Badge } from '@/components/ui'
import { isOwn } from '@/entities/assignment/own'
import { useUser } from '@/lib/session'
import { progressQuery } from '@/entities/progress/queries'
import { StateBadge } from './state-badge'

interface AssignmentStateProps {
  assignment: { _id: string; creatorEmail: string | null; mine?: boolean }
  /** The ids of all assignments on the screen, for one request. */
  ids: readonly string[]
}

/** The viewer's state in an assignment: creator, or how far a submission has come. */
export function AssignmentState({ assignment, ids }: AssignmentStateProps) {
  const { _id: id } = assignment
  const user = useUser()
  if (!user) return null
  return isOwn(assignment, user) ? <StateBadge state="mine" /> : <OwnProgress id={id} ids={ids} />
}

function OwnProgress({ id, ids }: { id: string; ids: readonly string[] }) {
  const { data } = useQuery({
    ...progressQuery(ids),
    // While the state of a new row is on its way, the others keep theirs.
    placeholderData: (before) => before,
  })
  const progress = data?.find(({ assignmentId }) => assignmentId === id)
  if (!progress) return null
  const { reviewsGiven: given = 0, reviewsOwed: owed = 0, reviewsLeft: left = 0 } = progress
  return (
    <span className="flex flex-wrap items-center justify-end gap-2">
      <StateBadge seed={id} {...progress} />
      {left > 0 && <Badge tone="warning">{t`${given} of ${owed} given`}</Badge>}
    </span>
  )
}
