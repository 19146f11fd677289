import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import type { components } from '@/api/schema.gen'
import { assertConfirmed } from '@/lib/assert-confirmed'
import { isProblem } from '@/lib/problem'
import { invalidate } from '@/lib/query'

export type Report = components['schemas']['Report']
/** Something that a moderator did. */
export type PastDecision = components['schemas']['ModeratorDecision']
export type Decision = 'dismiss' | 'hide' | 'suspend'

const reportsKey = ['reports']
const decisionsKey = ['decisions']

/**
 * Open reports to the moderators, or to the organizers of a circle, oldest first; null for users who do not moderate,
 * for whom the page does not exist.
 */
export const reportsQuery = (page: number, circle?: string) =>
  queryOptions({
    queryKey: [...reportsKey, circle, page],
    queryFn: async () => {
      try {
        const { data } = await answer(api.GET('/api/reports', { params: { query: { page, circle } } }))
        assertConfirmed(Array.isArray(data.data))
        return data
      } catch (error) {
        if (isProblem(error, 'not-a-moderator')) return null
        throw error
      }
    },
    staleTime: 0,
    meta: { staleOn: ['reports'] },
  })

export const decide = mutationOptions({
  mutationFn: async ({ id, ...body }: { id: string; action: Decision; reason?: string }) => {
    await answer(api.POST('/api/reports/{id}', { params: { path: { id } }, body }))
  },
  onSettled: (_data, _error, _decision, _before, { client }) => invalidate(client, reportsKey, decisionsKey),
})

/** Decisions of the moderators, or of the organizers of a circle, newest first. */
export const decisionsQuery = (page: number, circle?: string) =>
  queryOptions({
    queryKey: [...decisionsKey, circle, page],
    queryFn: async () => {
      const { data } = await answer(api.GET('/api/moderation', { params: { query: { page, circle } } }))
      assertConfirmed(Array.isArray(data.data))
      return data
    },
    staleTime: 0,
    meta: { staleOn: ['reports'] },
  })

/** Restores a hidden subject; `id` is the subject of the decision. */
export const restore = mutationOptions({
  mutationFn: async (hidden: { kind: PastDecision['kind']; id: string }) => {
    // Only decisions about these kinds hide something.
    const kind = hidden.kind as 'comment' | 'assignment' | 'review' | 'submission'
    await answer(api.POST('/api/moderation/restore', { body: { kind, id: hidden.id } }))
  },
  onSettled: (_data, _error, _hidden, _before, { client }) => invalidate(client, reportsKey, decisionsKey),
})
