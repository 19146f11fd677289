import { queryOptions } from '@tanstack/react-query'
import { answer, api } from '@/api/client'

/** The notifications that an email's link unsubscribes from; null for an invalid link. */
export const unsubscriptionQuery = (token: string) =>
  queryOptions({
    queryKey: ['unsubscription', token],
    queryFn: async () =>
      (await answer(api.GET('/api/unsubscribe/{token}', { params: { path: { token } } }))).data,
    staleTime: Infinity,
    meta: { staleOn: [] },
  })
