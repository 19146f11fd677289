import { queryOptions } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import { usuallyFreshMs } from '@/lib/query'

/** Whether there is a private calendar. */
export const calendarQuery = queryOptions({
  queryKey: ['calendar'],
  queryFn: async () => (await answer(api.GET('/api/calendar'))).data,
  staleTime: usuallyFreshMs,
  meta: { staleOn: [] },
})
