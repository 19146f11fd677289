import { queryOptions } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import { usuallyFreshMs } from '@/lib/query'

/** The kind of a text, which decides the size of its headings. */
export type Previewed = 'comment' | 'description'

/** A text as it would show. */
export const previewQuery = (of: Previewed, text: string) =>
  queryOptions({
    queryKey: ['preview', of, text],
    queryFn: async () => (await answer(api.POST('/api/preview', { body: { of, text } }))).data.html,
    staleTime: usuallyFreshMs,
    meta: { staleOn: [] },
  })
