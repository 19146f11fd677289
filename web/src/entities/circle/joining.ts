import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import type { components } from '@/api/schema.gen'
import { assertConfirmed } from '@/lib/assert-confirmed'
import { isProblem } from '@/lib/problem'
import { invalidate, usuallyFreshMs } from '@/lib/query'
import { changing } from './mutations'
import { circleKeys } from '@/entities/circle/keys'

export type Invitation = components['schemas']['Invitation']
export type InvitationInput = components['schemas']['InviteInputBody']
export type Asker = components['schemas']['Asker']

/** Rows on a page of invitations or of users who ask. */
const atOnce = 20

/** The invitations to a circle, without their links. */
export const invitationsQuery = (id: string, page: number) =>
  queryOptions({
    queryKey: [...circleKeys.one(id), 'invitations', page],
    queryFn: async () => {
      const { data } = await answer(
        api.GET('/api/circle/{id}/invitations', { params: { path: { id }, query: { page, limit: atOnce } } }),
      )
      assertConfirmed(Array.isArray(data?.data))
      return data
    },
    staleTime: usuallyFreshMs,
    meta: { staleOn: ['circle.changed'], subject: id },
  })

/** Makes an invitation; its link is in this answer only. */
export const invite = mutationOptions({
  mutationFn: async ({ id, input }: { id: string; input: InvitationInput }) => {
    const { data } = await answer(
      api.POST('/api/circle/{id}/invitations', { params: { path: { id } }, body: input }),
    )
    assertConfirmed(data?.url)
    return data.url
  },
  onSuccess: (_data, { id }, _before, { client }) => invalidate(client, circleKeys.one(id)),
})

export const revoke = changing(({ id, invitationId }: { id: string; invitationId: string }) =>
  answer(
    api.DELETE('/api/circle/{id}/invitations/{invitationId}', { params: { path: { id, invitationId } } }),
  ),
)

/** The users who ask to join. */
export const askingQuery = (id: string, page: number) =>
  queryOptions({
    queryKey: [...circleKeys.one(id), 'asking', page],
    queryFn: async () => {
      const { data } = await answer(
        api.GET('/api/circle/{id}/asking', { params: { path: { id }, query: { page, limit: atOnce } } }),
      )
      assertConfirmed(Array.isArray(data?.data))
      return data
    },
    staleTime: usuallyFreshMs,
    meta: { staleOn: ['circle.changed'], subject: id },
  })

export const decideOnAsking = changing(
  ({ id, userId, accept }: { id: string; userId: string; accept: boolean }) =>
    answer(
      api.POST('/api/circle/{id}/asking/{userId}', { params: { path: { id, userId } }, body: { accept } }),
    ),
)

/** What a link invites to; null for one that does not work. */
export const invitedQuery = (secret: string) =>
  queryOptions({
    queryKey: [...circleKeys.lists, 'invited', secret],
    queryFn: async () => {
      try {
        const { data } = await answer(api.POST('/api/circles/invited', { body: { secret } }))
        assertConfirmed(data?.circleId)
        return data
      } catch (error) {
        if (isProblem(error, 'not-found')) return null
        throw error
      }
    },
    meta: { staleOn: ['circle.changed'] },
  })

/** A way into a circle: the user's circles change with it. */
const entering = <Input>(mutationFn: (input: Input) => Promise<string>) =>
  mutationOptions({
    mutationFn,
    onSuccess: (id, _input, _before, { client }) => invalidate(client, circleKeys.lists, circleKeys.one(id)),
  })

export const joinByLink = entering(
  async (secret: string) => (await answer(api.POST('/api/circles/join', { body: { secret } }))).data.circleId,
)

export const joinOpen = entering(
  async (id: string) =>
    (await answer(api.POST('/api/circle/{id}/join', { params: { path: { id } } }))).data.circleId,
)

export const askToJoin = mutationOptions({
  mutationFn: (id: string) => answer(api.POST('/api/circle/{id}/ask', { params: { path: { id } } })),
  onSuccess: (_data, _id, _before, { client }) => invalidate(client, circleKeys.listed),
})
