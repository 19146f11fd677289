import { queryOptions } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import type { components } from '@/api/schema.gen'
import { assertConfirmed } from '@/lib/assert-confirmed'

export type Today = components['schemas']['Today']

/** How many reviews the viewer is to give, of work that there is now. */
export const reviewsToGive = ({ turns }: Pick<Today, 'turns'>): number =>
  turns.reduce((sum, { owed, available }) => sum + Math.min(owed, available), 0)

/** The viewer's outstanding work, and submissions that have come back. */
export const todayQuery = queryOptions({
  queryKey: ['today'],
  queryFn: async () => {
    const { data } = await answer(api.GET('/api/today'))
    assertConfirmed(data?.turns)
    return data
  },
  // A prefetched answer is used, an older one refetched.
  staleTime: 2_000,
  meta: {
    staleOn: [
      'notifications',
      'assignment.created',
      'assignment.updated',
      'assignment.deleted',
      'assignment.results',
      'own-submission',
      'circle.changed',
      'reports',
    ],
    derived: true,
  },
})
