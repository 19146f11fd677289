import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import type { components } from '@/api/schema.gen'
import { assertConfirmed } from '@/lib/assert-confirmed'
import { isProblem } from '@/lib/problem'
import { usuallyFreshMs } from '@/lib/query'
import { commentEvents, commentKeys, pageSize } from './threads-query'

export type Comment = components['schemas']['Comment']
export type Thread = components['schemas']['Thread']
export type ReplyPage = components['schemas']['Replies']
export type ReactionKind = keyof Comment['reactions']

/** All replies of a thread, page after page. */
export const repliesQuery = (assignmentId: string, threadId: string) =>
  infiniteQueryOptions({
    queryKey: [...commentKeys.under(assignmentId), 'replies', threadId],
    queryFn: async ({ pageParam: page }) => {
      const params = { path: { id: threadId }, query: { page, limit: pageSize } }
      const { data } = await answer(api.GET('/api/comment/{id}/replies', { params }))
      assertConfirmed(Array.isArray(data.data))
      return data
    },
    initialPageParam: 1,
    getNextPageParam: ({ pagination: { page, totalPages } }) => (page < totalPages ? page + 1 : undefined),
    staleTime: usuallyFreshMs,
    meta: { staleOn: commentEvents, subject: assignmentId },
  })

/** All of a comment of which a page has only the beginning. Another edit has another answer. */
export const wholeQuery = ({ _id: id, editedAt }: Comment) =>
  queryOptions({
    queryKey: ['comment', id, editedAt ?? ''],
    queryFn: async () => (await answer(api.GET('/api/comment/{id}', { params: { path: { id } } }))).data,
    staleTime: Infinity,
    meta: { staleOn: [] },
  })

interface Located {
  page: number
  threadId: string
  /** Its author reads a hidden comment, which stands on no page. */
  hidden: Comment | null
}

/** Where a comment stands; null where it is gone. */
export async function locate(id: string): Promise<Located | null> {
  try {
    const { data } = await answer(api.GET('/api/comment/{id}', { params: { path: { id } } }))
    return { page: data.page, threadId: data.parentId ?? data._id, hidden: data.hidden ? data : null }
  } catch (error) {
    if (isProblem(error, 'not-found')) return null
    throw error
  }
}

/** The same for a link, kept up to date: a hidden comment may be shown again. */
export const locatedQuery = (assignmentId: string, id: string) =>
  queryOptions({
    queryKey: [...commentKeys.under(assignmentId), 'located', id],
    queryFn: () => locate(id),
    staleTime: usuallyFreshMs,
    meta: { staleOn: commentEvents, subject: assignmentId },
  })

/** The people to mention, by the beginning of their names. */
export const participantsQuery = (assignmentId: string, search: string) =>
  queryOptions({
    queryKey: ['participants', assignmentId, search],
    queryFn: async () => {
      const params = { path: { id: assignmentId }, query: { search } }
      const { data } = await answer(api.GET('/api/assignment/{id}/participants', { params }))
      return data.data
    },
    staleTime: usuallyFreshMs,
    meta: { staleOn: [] },
  })
