import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import { assertConfirmed } from '@/lib/assert-confirmed'
import { isProblem } from '@/lib/problem'
import { invalidate } from '@/lib/query'
import { locate, type Comment, type ReactionKind, type ReplyPage } from '@/entities/comment/queries'
import { commentKeys, type CommentPage } from '@/entities/comment/threads-query'

interface OfAssignment {
  assignmentId: string
}

/** Resolves to the comment's id and the page where it stands. */
export const createComment = mutationOptions({
  mutationFn: async ({
    assignmentId,
    text,
    parentId,
  }: OfAssignment & { text: string; parentId?: string }) => {
    const body = { text, ...(parentId && { parentId }) }
    const params = { path: { id: assignmentId } }
    const { data } = await answer(api.POST('/api/assignment/{id}/comments', { params, body }))
    assertConfirmed(data?.insertedId)
    const found = await locate(data.insertedId).catch(() => null)
    return { id: data.insertedId, page: found?.page, threadId: found?.threadId }
  },
  onSuccess: (_data, { assignmentId }, _before, { client }) =>
    invalidate(client, commentKeys.under(assignmentId), ['participants', assignmentId]),
})

export const editComment = mutationOptions({
  mutationFn: async ({ id, text }: OfAssignment & { id: string; text: string }) => {
    const { data } = await answer(
      api.PATCH('/api/comment/{id}', { params: { path: { id } }, body: { text } }),
    )
    assertConfirmed(data?.modifiedCount !== undefined)
  },
  onSuccess: (_data, { assignmentId }, _before, { client }) =>
    invalidate(client, commentKeys.under(assignmentId)),
})

export const deleteComment = mutationOptions({
  mutationFn: async ({ id }: OfAssignment & { id: string }) => {
    try {
      await answer(api.DELETE('/api/comment/{id}', { params: { path: { id } } }))
    } catch (error) {
      // Another user has already deleted it.
      if (!isProblem(error, 'not-found')) throw error
    }
  },
  onSuccess: (_data, { assignmentId }, _before, { client }) =>
    invalidate(client, commentKeys.under(assignmentId)),
})

interface Reacting extends OfAssignment {
  id: string
  kind: ReactionKind
  on: boolean
}

/** Shows at once, and goes back if the server refuses. */
export const react = mutationOptions({
  // In the order of presses: the last one wins.
  scope: { id: 'react' },
  mutationFn: async ({ id, kind, on }: Reacting) => {
    const params = { path: { id, kind } }
    const path = '/api/comment/{id}/reactions/{kind}'
    await answer(on ? api.PUT(path, { params }) : api.DELETE(path, { params }))
  },
  onMutate: ({ assignmentId, ...change }, { client }) => {
    reactIn(client, assignmentId, change)
  },
  onError: (_error, { assignmentId, on, ...change }, _before, { client }) =>
    reactIn(client, assignmentId, { ...change, on: !on }),
  onSettled: (_data, _error, { assignmentId }, _before, { client }) =>
    invalidate(client, commentKeys.under(assignmentId)),
  meta: { aside: true },
})

type Change = Omit<Reacting, 'assignmentId'>

function reactIn(client: QueryClient, assignmentId: string, change: Change) {
  client.setQueriesData<CommentPage | { pages: ReplyPage[] } | null>(
    { queryKey: commentKeys.under(assignmentId) },
    (known) => {
      if (!known) return known
      if ('pages' in known) return { ...known, pages: known.pages.map((page) => reactedIn(page, change)) }
      const data = known.data.map((thread) => ({
        ...reacted(thread, change),
        replies: thread.replies.map((reply) => reacted(reply, change)),
      }))
      return { ...known, data }
    },
  )
}

const reactedIn = (page: ReplyPage, change: Change): ReplyPage => ({
  ...page,
  data: page.data.map((reply) => reacted(reply, change)),
})

function reacted<Said extends Comment>(comment: Said, { id, kind, on }: Change): Said {
  const { count, mine } = comment.reactions[kind]
  if (comment._id !== id || mine === on) return comment
  return {
    ...comment,
    reactions: { ...comment.reactions, [kind]: { count: count + (on ? 1 : -1), mine: on } },
  }
}

export const closeDiscussion = mutationOptions({
  mutationFn: async ({ assignmentId, closed }: OfAssignment & { closed: boolean }) => {
    const params = { path: { id: assignmentId } }
    await answer(api.PUT('/api/assignment/{id}/discussion', { params, body: { closed } }))
  },
  onSuccess: (_data, { assignmentId }, _before, { client }) =>
    invalidate(client, commentKeys.under(assignmentId)),
})
