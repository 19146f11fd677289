import { queryOptions } from '@tanstack/react-query'
import { answer, api } from '@/api/client'

/** What a mail's link ends; null where the link was altered. */
export const unsubscriptionQuery = (token: string) =>
  queryOptions({
    queryKey: ['unsubscription', token],
    queryFn: async () =>
      (await answer(api.GET('/api/unsubscribe/{token}', { params: { path: { token } } }))).data,
    staleTime: Infinity,
    meta: { staleOn: [] },
  })
