import { t } from '@lingui/core/macro'
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import type { components } from '@/api/schema.gen'
import { assertConfirmed } from '@/lib/assert-confirmed'
import { todayQuery } from '@/entities/today/today-query'
import { invalidate, usuallyFreshMs } from '@/lib/query'
import { circleKeys } from './keys'

export type MyInvitation = components['schemas']['MyInvitation']

/** The invitations that wait for the user's answer. */
export const myInvitationsQuery = queryOptions({
  queryKey: circleKeys.invited,
  queryFn: async () => {
    const { data } = await answer(api.GET('/api/circles/invited'))
    assertConfirmed(Array.isArray(data?.data))
    return data.data
  },
  staleTime: usuallyFreshMs,
  meta: { staleOn: ['notifications', 'circle.changed'] },
})

/** Joins the circle of an invitation, and returns its id. */
export const acceptInvitation = mutationOptions({
  mutationFn: async (id: string) => {
    const { data } = await answer(api.POST('/api/circles/invited/{id}/accept', { params: { path: { id } } }))
    assertConfirmed(data?.circleId)
    return data.circleId
  },
  // After a refusal too: the invitation may be over.
  onSettled: (_data, _error, _id, _before, { client }) =>
    invalidate(client, circleKeys.lists, todayQuery.queryKey),
})

interface Refusal {
  id: string
  /** No other invitation of the circle's rosters either. */
  forGood: boolean
}

export const declineInvitation = mutationOptions({
  mutationFn: ({ id, forGood }: Refusal) => {
    const params = { path: { id } }
    return forGood
      ? answer(api.POST('/api/circles/invited/{id}/block', { params }))
      : answer(api.POST('/api/circles/invited/{id}/decline', { params }))
  },
  onSettled: (_data, _error, _input, _before, { client }) =>
    invalidate(client, circleKeys.lists, todayQuery.queryKey),
})

/** Who invites, and to what. */
export function invitationText({ invitedBy, role }: MyInvitation): string {
  if (role === 'organizer') {
    return invitedBy
      ? t`${invitedBy} invites you to organize this circle.`
      : t`You are invited to organize this circle.`
  }
  return invitedBy ? t`${invitedBy} invites you to this circle.` : t`You are invited to this circle.`
}
