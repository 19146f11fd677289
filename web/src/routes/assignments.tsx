import { useSearchParams } from 'react-router'
import { AssignmentListView } from '@/features/assignments/assignment-list'
import { listQueryOf } from '@/features/assignments/list-query'

export function Component() {
  const [params] = useSearchParams()
  return <AssignmentListView query={listQueryOf(params)} />
}
