import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import type { components } from '@/api/schema.gen'
import { assertConfirmed } from '@/lib/assert-confirmed'
import { invalidate } from '@/lib/query'

export type SavedRubric = components['schemas']['SavedRubric']
export type Criterion = SavedRubric['criteria'][number]

const savedKey = ['saved-rubrics']

/** The rubrics that the user saved, or those of a circle. */
export const savedRubricsQuery = (circle: string) =>
  queryOptions({
    queryKey: [...savedKey, circle],
    queryFn: async () => {
      const { data } = await answer(api.GET('/api/rubrics', { params: { query: circle ? { circle } : {} } }))
      assertConfirmed(Array.isArray(data?.data))
      return data.data
    },
    staleTime: 2_000,
    meta: { staleOn: [] },
  })

interface NamedRubric {
  name: string
  criteria: Criterion[]
  /** The circle that it is for; empty for the user. */
  circle: string
}

/** Saves a rubric under a name. */
export const saveRubric = mutationOptions({
  mutationFn: async ({ circle, ...rubric }: NamedRubric) => {
    const { data } = await answer(
      api.POST('/api/rubrics', { body: { ...rubric, ...(circle && { circleId: circle }) } }),
    )
    assertConfirmed(data?.insertedId)
    return data.insertedId
  },
  onSettled: (_data, _error, _input, _before, { client }) => invalidate(client, savedKey),
})

/** Deletes a saved rubric. */
export const deleteRubric = mutationOptions({
  mutationFn: async (id: string) => {
    await answer(api.DELETE('/api/rubrics/{id}', { params: { path: { id } } }))
  },
  onSettled: (_data, _error, _id, _before, { client }) => invalidate(client, savedKey),
})
