import { useQuery } from '@tanstack/react-query'
import { useUser } from '@/lib/session'
import { progressQuery } from '@/entities/progress/queries'
import { RemindSwitch } from './remind-switch'

interface RemindMeProps {
  assignmentId: string
  /** The server takes a submission of the viewer. */
  mayTake: boolean
}

/** The switch on an assignment's page: not for visitors, nor for its creator. */
export function RemindMe({ assignmentId, mayTake }: RemindMeProps) {
  const user = useUser()
  const { data } = useQuery({ ...progressQuery([assignmentId]), enabled: user !== null })
  if (!user) return null
  const remind = data?.find((one) => one.assignmentId === assignmentId)?.remind
  const others = (
    <div className="grid max-md:mt-3 max-md:border-t max-md:border-line max-md:pt-1 md:-mt-3 md:mb-4">
      <RemindSwitch assignmentId={assignmentId} remind={remind} />
    </div>
  )
  return mayTake && others
}
