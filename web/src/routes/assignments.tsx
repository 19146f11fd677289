import { useSearchParams } from 'react-router'
import { AssignmentListView } from '@/features/assignments/assignment-list'
import { listQueryOf } from '@/entities/assignment/list-query'
import { askForExemplars } from './ask-for-exemplars'
import { AssignmentState } from '@/features/progress/assignment-state'

export function Component() {
  const [params] = useSearchParams()
  return (
    <AssignmentListView
      query={listQueryOf(params)}
      asks={askForExemplars}
      stateOf={(assignment, ids) => <AssignmentState assignment={assignment} ids={ids} />}
    />
  )
}
