import { useQuery } from '@tanstack/react-query'
import { useUser } from '@/lib/session'
import { progressQuery } from './queries'
import { StateBadge } from './state-badge'

interface AssignmentStateProps {
  assignment: { _id: string; creatorEmail: string }
  /** All that are on the screen, so that they are asked for together; none as long as the first HTML shows. */
  ids: readonly string[]
}

/** Whose an assignment is, or how far the viewer has come with it. */
export function AssignmentState({ assignment: { _id: id, creatorEmail }, ids }: AssignmentStateProps) {
  const user = useUser()
  if (!user) return null
  return user.email === creatorEmail ? <StateBadge state="mine" /> : <OwnProgress id={id} ids={ids} />
}

function OwnProgress({ id, ids }: { id: string; ids: readonly string[] }) {
  const { data } = useQuery({
    ...progressQuery(ids),
    enabled: ids.length > 0,
    // One more on the screen: the others keep theirs meanwhile.
    placeholderData: (before) => before,
  })
  const progress = data?.find(({ assignmentId }) => assignmentId === id)
  return progress ? <StateBadge seed={id} {...progress} /> : null
}
