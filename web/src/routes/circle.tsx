import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearchParams } from 'react-router'
import { ErrorState, Loading, RefreshFailed, lazyView } from '@/components/ui'
import { askForExemplars } from './ask-for-exemplars'
import { CircleAssignments } from '@/features/assignments/circle-assignments'
import { listQueryOf } from '@/entities/assignment/list-query'
import { CirclePage } from '@/features/circles/circle-page'
import { circleQuery } from '@/entities/circle/queries'
import { AssignmentState } from '@/features/progress/assignment-state'
import { explain } from '@/lib/problem'

const PendingView = lazyView(() => import('./circle-pending'), {
  label: () => t`Loading pending assignments`,
})
const MarksView = lazyView(() => import('./circle-marks'), { label: () => t`Loading the marks` })
const ReportsView = lazyView(() => import('./circle-reports'), { label: () => t`Loading reports` })

export function Component() {
  const { id = '' } = useParams()
  const { data, error, refetch } = useQuery(circleQuery(id))
  const retry = () => void refetch()
  if (data) {
    return (
      <>
        <RefreshFailed error={error} onRetry={retry} />
        <CirclePage
          circle={data}
          panels={{
            assignments: () => <Assignments circle={id} mayPublish={data.may.publish} />,
            pending: () => <PendingView circle={id} />,
            marks: () => <MarksView circle={id} />,
            reports: () => <ReportsView circle={id} />,
          }}
        />
      </>
    )
  }
  if (error) return <ErrorState message={explain(error)} onRetry={retry} />
  return (
    <div className="page">
      <Loading label={t`Loading the circle`} fillsScreen />
    </div>
  )
}

function Assignments({ circle, mayPublish }: { circle: string; mayPublish: boolean }) {
  const [params] = useSearchParams()
  return (
    <CircleAssignments
      query={listQueryOf(params)}
      circle={circle}
      stateOf={(assignment, ids) => <AssignmentState assignment={assignment} ids={ids} />}
      mayPublish={mayPublish}
      asks={askForExemplars}
    />
  )
}
