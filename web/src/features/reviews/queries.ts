import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import type { components } from '@/api/schema.gen'
import { isProblem } from '@/lib/problem'
import { invalidate } from '@/lib/query'

export type MarkExplanation = components['schemas']['MarkExplanation']

const reviewKeys = {
  mark: (id: string) => ['reviews', 'mark', id],
}

/** How a submission got its mark; null where there is nothing of that to read. */
export const markQuery = (id: string) =>
  queryOptions({
    queryKey: reviewKeys.mark(id),
    queryFn: async (): Promise<MarkExplanation | null> => {
      try {
        return (await answer(api.GET('/api/submissions/{id}/mark', { params: { path: { id } } }))).data
      } catch (error) {
        if (isProblem(error, 'not-found')) return null
        throw error
      }
    },
  })

/** Asks for two more reviews of one's own submission, once. */
export const appeal = mutationOptions({
  mutationFn: async ({ id, reason }: { id: string; reason: string }) => {
    await answer(api.POST('/api/submissions/{id}/appeal', { params: { path: { id } }, body: { reason } }))
  },
  onSettled: (_data, _error, { id }, _before, { client }) => invalidate(client, reviewKeys.mark(id)),
})
