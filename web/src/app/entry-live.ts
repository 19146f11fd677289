import { assignmentKeys, type Assignment } from '@/entities/assignment/queries'
import { startLive } from '@/lib/live'
import { onLive } from '@/lib/live-events'
import { invalidate, staleKeys } from '@/lib/query'
import { queryClient } from '@/lib/query-client'

/** Does not refetch a deleted assignment, unless an earlier answer may be on its way. */
function forgetAssignment(id: string) {
  const queryKey = assignmentKeys.one(id)
  if (queryClient.isFetching({ queryKey }) > 0) return
  queryClient.setQueryData<Assignment | null>(queryKey, null)
}

onLive((event) => {
  if (event.kind === 'assignment.deleted') forgetAssignment(event.id)
  invalidate(queryClient, ...staleKeys(queryClient, event))
})

/** Listens from the cursor at which the page was made; '' if it is not known. */
export function listenFrom(cursor: string): void {
  startLive(cursor)
}
