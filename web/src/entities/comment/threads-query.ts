import { queryOptions } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import type { components } from '@/api/schema.gen'
import { assertConfirmed } from '@/lib/assert-confirmed'
import { isProblem } from '@/lib/problem'
import { usuallyFreshMs, type EventKind } from '@/lib/query'

export type CommentPage = components['schemas']['Comments']

/** Threads on a page, and further replies that come at once. */
export const pageSize = 20

export const commentEvents: readonly EventKind[] = ['comment.created', 'comment.changed', 'comment.deleted']

export const commentKeys = {
  all: ['comments'],
  under: (assignmentId: string) => ['comments', assignmentId],
}

/** A page of the threads under an assignment; null where there is no such assignment. */
export const commentsQuery = (assignmentId: string, page: number) =>
  queryOptions({
    queryKey: [...commentKeys.under(assignmentId), page],
    queryFn: () => fetchThreads(assignmentId, page),
    staleTime: usuallyFreshMs,
    meta: { boot: 'comments', staleOn: commentEvents, subject: assignmentId },
  })

async function fetchThreads(id: string, page: number): Promise<CommentPage | null> {
  try {
    const params = { path: { id }, query: { page, limit: pageSize } }
    const { data } = await answer(api.GET('/api/assignment/{id}/comments', { params }))
    assertConfirmed(Array.isArray(data.data))
    return data
  } catch (error) {
    if (isProblem(error, 'not-found')) return null
    throw error
  }
}
