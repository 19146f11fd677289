import { PendingList } from '@/features/submissions/pending-list'
import { AssignmentTask } from './assignment-task'
import { usePage } from './use-page'

export function Component() {
  const [page, setPage] = usePage()
  return <PendingList page={page} onPage={setPage} taskOf={(id) => <AssignmentTask id={id} />} />
}
