import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import { assertConfirmed } from '@/lib/assert-confirmed'
import { invalidate } from '@/lib/query'

const phrasesKey = ['phrases']

/** The sentences that the user keeps for feedback. */
export const phrasesQuery = queryOptions({
  queryKey: phrasesKey,
  queryFn: async () => {
    const { data } = await answer(api.GET('/api/phrases'))
    assertConfirmed(Array.isArray(data?.phrases))
    return data.phrases
  },
  staleTime: 30_000,
  meta: { staleOn: [] },
})

/** Replaces them. */
export const putPhrases = mutationOptions({
  mutationFn: async (phrases: string[]) => {
    await answer(api.PUT('/api/phrases', { body: { phrases } }))
  },
  onSettled: (_data, _error, _input, _before, { client }) => invalidate(client, phrasesKey),
})
