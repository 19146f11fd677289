import { useQuery } from '@tanstack/react-query'
import { useUser } from '@/lib/session'
import { progressQuery } from '@/entities/progress/queries'
import { StateBadge } from './state-badge'

/** The viewer's best mark for an assignment, beside Take Assignment. */
export function YouGot({ assignmentId }: { assignmentId: string }) {
  const user = useUser()
  const { data } = useQuery({ ...progressQuery([assignmentId]), enabled: user !== null })
  const progress = data?.find((one) => one.assignmentId === assignmentId)
  if (progress?.state !== 'graded') return null
  return (
    <p role="status" className="shrink-0 text-center font-semibold">
      You got <StateBadge seed={assignmentId} {...progress} />
    </p>
  )
}
