import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { AppLink } from '@/components/ui'
import { useUser } from '@/lib/session'
import { progressQuery } from '@/entities/progress/queries'
import { StateBadge } from './state-badge'

/** The viewer's best mark for an assignment, beside Take Assignment, and the way to its feedback. */
export function YouGot({ assignmentId }: { assignmentId: string }) {
  const user = useUser()
  const { data } = useQuery({ ...progressQuery([assignmentId]), enabled: user !== null })
  const progress = data?.find((one) => one.assignmentId === assignmentId)
  if (progress?.state !== 'graded') return null
  return (
    <div className="shrink-0 text-center">
      <p role="status" className="font-semibold">
        <Trans>
          You got <StateBadge seed={assignmentId} {...progress} />
        </Trans>
      </p>
      <AppLink to="/attemded-assignments" className="link text-sm">
        {t`See the feedback`}
      </AppLink>
    </div>
  )
}
