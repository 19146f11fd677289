import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import type { components } from '@/api/schema.gen'
import { assertConfirmed } from '@/lib/assert-confirmed'
import { invalidate } from '@/lib/query'

export type Report = components['schemas']['Report']
export type Decision = 'dismiss' | 'hide' | 'suspend'

const reportsKey = ['reports']

/** Open reports, oldest first. */
export const reportsQuery = (page: number) =>
  queryOptions({
    queryKey: [...reportsKey, page],
    queryFn: async () => {
      const { data } = await answer(api.GET('/api/reports', { params: { query: { page } } }))
      assertConfirmed(Array.isArray(data.data))
      return data
    },
    staleTime: 0,
    meta: { staleOn: [] },
  })

export const decide = mutationOptions({
  mutationFn: async ({ id, action }: { id: string; action: Decision }) => {
    await answer(api.POST('/api/reports/{id}', { params: { path: { id } }, body: { action } }))
  },
  onSettled: (_data, _error, _decision, _before, { client }) => invalidate(client, reportsKey),
})
