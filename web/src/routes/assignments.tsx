import { useSearchParams } from 'react-router'
import { AssignmentListView } from '@/features/assignments/assignment-list'
import { listQueryOf } from '@/features/assignments/api'
import { useTitle } from '@/lib/use-title'

export function Component() {
  useTitle('Assignments')
  const [params] = useSearchParams()
  return <AssignmentListView query={listQueryOf(params)} />
}
