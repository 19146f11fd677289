import { queryOptions } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import type { components } from '@/api/schema.gen'
import { assertConfirmed } from '@/lib/assert-confirmed'
import { isProblem } from '@/lib/problem'

export type Overview = components['schemas']['Overview']

/** No event tells of jobs, disks and nodes. */
const askAgainMs = 10_000

/** The state of the server; null for users who do not operate it, for whom the page does not exist. */
export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: async () => {
    try {
      const { data } = await answer(api.GET('/api/admin'))
      assertConfirmed(Array.isArray(data.nodes))
      return data
    } catch (error) {
      if (isProblem(error, 'not-found')) return null
      throw error
    }
  },
  staleTime: askAgainMs,
  meta: { staleOn: [] },
  refetchInterval: ({ state }) => (state.data === null ? false : askAgainMs),
})
