import { useLocation } from 'react-router'
import { PendingList } from '@/features/submissions/pending-list'
import { AssignmentTask } from './assignment-task'
import { usePage } from './use-page'

export function Component() {
  const [page, setPage] = usePage()
  return (
    <PendingList
      page={page}
      onPage={setPage}
      wanted={wantedOf(useLocation().state)}
      taskOf={(id) => <AssignmentTask id={id} />}
    />
  )
}

/** The submission that somebody pressed elsewhere, in order to mark it here. */
function wantedOf(state: unknown): string | undefined {
  const wanted = typeof state === 'object' && state !== null && 'mark' in state ? state.mark : undefined
  return typeof wanted === 'string' ? wanted : undefined
}
