import { queryOptions } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import type { components } from '@/api/schema.gen'
import { assertConfirmed } from '@/lib/assert-confirmed'
import { previousOfSubject } from '@/lib/query'

export type SearchResults = components['schemas']['SearchResults']

/** What a search of all that the user may see finds, of each kind the first ones. */
export const searchQuery = (search: string) => {
  const queryKey = ['search', search]
  return queryOptions({
    queryKey,
    queryFn: async () => {
      const { data } = await answer(api.GET('/api/search', { params: { query: { search } } }))
      assertConfirmed(data?.assignments)
      return data
    },
    enabled: search !== '',
    placeholderData: previousOfSubject(queryKey),
    staleTime: 2_000,
    meta: {
      staleOn: [
        'assignment.created',
        'assignment.updated',
        'assignment.deleted',
        'own-submission',
        'circle.changed',
      ],
      derived: true,
    },
  })
}
