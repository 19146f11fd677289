import { UpdateAssignment } from '@/features/assignments/update-assignment'
import { Loading } from '@/components/ui'
import { useHydrated } from '@/lib/use-hydrated'
import { WithAssignment } from './with-assignment'

export function Component() {
  // A form knows what it holds once the script is there.
  const hydrated = useHydrated()
  return (
    <WithAssignment>
      {(assignment) =>
        hydrated ? (
          <UpdateAssignment assignment={assignment} />
        ) : (
          <div className="page">
            <Loading label="Loading the assignment" fillsScreen />
          </div>
        )
      }
    </WithAssignment>
  )
}
