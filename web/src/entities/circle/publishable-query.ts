import { queryOptions } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import type { components } from '@/api/schema.gen'
import { assertConfirmed } from '@/lib/assert-confirmed'
import { usuallyFreshMs } from '@/lib/query'
import { circleKeys } from './keys'
import type { Circle } from './queries'

/** As many as the API gives at once. */
const mostAtOnce = 100

/** All circles in which the user may publish, by name. */
export const publishableQuery = queryOptions({
  queryKey: [...circleKeys.lists, 'publishable'],
  queryFn: async () => {
    const found: Circle[] = []
    for (let page = 1, pages = 1; page <= pages; page++) {
      const query = { page, limit: mostAtOnce }
      const { data } = await answer(api.GET('/api/circles', { params: { query } }))
      assertConfirmed(Array.isArray(data?.data))
      found.push(...(data as components['schemas']['CircleList']).data)
      pages = data.pagination.totalPages
    }
    return found.filter(({ may }) => may.publish)
  },
  staleTime: usuallyFreshMs,
  meta: { staleOn: ['circle.changed'] },
})
