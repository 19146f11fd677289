import type { QueryKey } from '@tanstack/react-query'
import { assignmentKeys, type Assignment } from '@/features/assignments/queries'
import { commentKeys } from '@/features/comments/threads-query'
import { notificationKeys } from '@/features/notifications/queries'
import { progressKeys } from '@/features/progress/queries'
import { submissionKeys } from '@/features/submissions/queries'
import { startLive } from '@/lib/live'
import { onLive } from '@/lib/live-events'
import { derivedKeys, invalidate } from '@/lib/query'
import { queryClient } from '@/lib/query-client'

const oneAssignment = (id: string) => [assignmentKeys.lists, assignmentKeys.one(id)]
const discussion = (id: string) => [commentKeys.under(id)]
const changedAssignment = (id: string) => [...oneAssignment(id), progressKeys.dashboard]
/** One that is gone is not asked for again, unless an answer from before may be on its way. */
const deletedAssignment = (id: string) => {
  const one = assignmentKeys.one(id)
  if (queryClient.isFetching({ queryKey: one }) > 0) return changedAssignment(id)
  queryClient.setQueryData<Assignment | null>(one, null)
  return [assignmentKeys.lists, progressKeys.dashboard]
}
/** Somebody handed in or graded: what waits for a grade is in the list of it, and on the dashboard. */
const submissions = () => [submissionKeys.pending, progressKeys.dashboard]

const derived = () => derivedKeys(queryClient)

/** Which answers become stale when others change something, by the kind of the event. */
const staleKeys: Record<string, (id: string) => QueryKey[]> = {
  'assignment.created': oneAssignment,
  'assignment.updated': changedAssignment,
  'assignment.deleted': deletedAssignment,
  'comment.created': discussion,
  'comment.changed': discussion,
  'comment.deleted': discussion,
  'submission.pending': submissions,
  'submission.changed': () => [submissionKeys.pending],
  'submission.withdrawn': submissions,
  'submission.graded': submissions,
  // For the creator, by the assignment.
  'assignment.results': derived,
  'own-submission': () => [submissionKeys.mine, ...derived()],
  notifications: () => [notificationKeys.all],
  // Anything may have changed.
  reset: () => [
    assignmentKeys.lists,
    assignmentKeys.all,
    commentKeys.all,
    submissionKeys.pending,
    submissionKeys.mine,
    ...derived(),
    notificationKeys.all,
  ],
}

onLive(({ kind, id }) => invalidate(queryClient, ...(staleKeys[kind]?.(id) ?? [])))

/** Listens from the place among the events at which the page was made; '' where that is not known. */
export function listenFrom(place: string): void {
  startLive(place)
}
