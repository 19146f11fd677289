import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useUser } from '@/lib/session'
import { progressQuery } from '@/entities/progress/queries'

/** How many of the reviews owed for an assignment the viewer has given: '2 of 3 given'; nothing where none are owed. */
export function GivenOfOwed({ assignmentId }: { assignmentId: string }) {
  const user = useUser()
  const { data } = useQuery({ ...progressQuery([assignmentId]), enabled: user !== null })
  const { reviewsGiven: given = 0, reviewsOwed: owed = 0 } = data?.[0] ?? {}
  return owed > 0 && <p className="text-sm text-soft">{t`${given} of ${owed} given`}</p>
}
