import type { QueryKey } from '@tanstack/react-query'
import { assignmentKeys } from '@/features/assignments/queries'
import { notificationKeys } from '@/features/notifications/queries'
import { submissionKeys } from '@/features/submissions/queries'
import { startLive } from '@/lib/live'
import { onLive } from '@/lib/live-events'
import { invalidate } from '@/lib/query'
import { queryClient } from '@/lib/query-client'

const oneAssignment = (id: string) => [assignmentKeys.lists, assignmentKeys.one(id)]
const pending = () => [submissionKeys.pending]

/** Which answers become stale when others change something, by the kind of the event. */
const staleKeys: Record<string, (id: string) => QueryKey[]> = {
  'assignment.created': oneAssignment,
  'assignment.updated': oneAssignment,
  'assignment.deleted': oneAssignment,
  'submission.pending': pending,
  'submission.changed': pending,
  'submission.withdrawn': pending,
  'submission.graded': pending,
  'own-submission': () => [submissionKeys.mine],
  notifications: () => [notificationKeys.all],
  // Anything may have changed.
  reset: () => [
    assignmentKeys.lists,
    assignmentKeys.all,
    submissionKeys.pending,
    submissionKeys.mine,
    notificationKeys.all,
  ],
}

onLive(({ kind, id }) => invalidate(queryClient, ...(staleKeys[kind]?.(id) ?? [])))

/** Listens from the place among the events at which the page was made; '' where that is not known. */
export function listenFrom(place: string): void {
  startLive(place)
}
