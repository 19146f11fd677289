import { queryOptions } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import type { components } from '@/api/schema.gen'
import { assertConfirmed } from '@/lib/assert-confirmed'
import { freshMs } from './queries'

export type Result = components['schemas']['Result']

/** Of all results, whatever assignment they are of. */
export const resultsKey = ['results']

/** Results on a page. */
export const resultsAtOnce = 10

/** The submissions for one of the viewer's own assignments, newest first. */
export const resultsQuery = (assignmentId: string, page: number) =>
  queryOptions({
    queryKey: [...resultsKey, assignmentId, page],
    queryFn: async () => {
      const params = { path: { id: assignmentId }, query: { page, limit: resultsAtOnce } }
      const { data } = await answer(api.GET('/api/assignment/{id}/submissions', { params }))
      assertConfirmed(Array.isArray(data?.data))
      return data
    },
    staleTime: freshMs,
    meta: { staleOn: [], derived: true },
  })
