import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import type { components } from '@/api/schema.gen'
import { assertConfirmed } from '@/lib/assert-confirmed'
import { isProblem } from '@/lib/problem'
import { reviewKeys } from '@/entities/review/queries'

type Schemas = components['schemas']

/** The fields of a result that a decision of the creator needs. */
export type Decidable = Pick<
  Schemas['Result'],
  | '_id'
  | 'status'
  | 'marks'
  | 'givenMark'
  | 'reviewsNeeded'
  | 'appeal'
  | 'reopened'
  | 'unattended'
  | 'appealReason'
  | 'may'
  | 'submitterId'
  | 'submitterName'
>

/** The actions for the creator: a decision that waits, or actions that are possible already. */
export function decisionOf({ may }: Decidable): string {
  if (may.waits) return 'Decide'
  return may.reopen ? 'Ask for another look' : 'Set the mark'
}

export type ReopenInput = Schemas['ReopenInputBody']

/** The work that the creator is to decide about; null where nothing is open. */
export const workQuery = (id: string) =>
  queryOptions({
    queryKey: reviewKeys.work(id),
    queryFn: async (): Promise<Schemas['ReopenedWork'] | null> => {
      try {
        return (await answer(api.GET('/api/submissions/{id}/work', { params: { path: { id } } }))).data
      } catch (error) {
        if (isProblem(error, 'not-found')) return null
        throw error
      }
    },
    meta: { staleOn: [] },
  })

/** Settles a submission on the reviews that it has. */
export const settleNow = mutationOptions({
  mutationFn: async (id: string) => {
    const { data } = await answer(api.POST('/api/submissions/{id}/settle', { params: { path: { id } } }))
    assertConfirmed(data?.modifiedCount)
  },
})

/** Makes a submission known work, with the viewer's mark. */
export const markKnown = mutationOptions({
  mutationFn: async ({ id, input }: { id: string; input: Schemas['KnownInputBody'] }) => {
    const { data } = await answer(
      api.PUT('/api/submissions/{id}/known', { params: { path: { id } }, body: input }),
    )
    assertConfirmed(data?.modifiedCount)
  },
})

/** Has a submission reviewed by more people, or says its mark. */
export const reopen = mutationOptions({
  mutationFn: async ({ id, input }: { id: string; input: ReopenInput }) => {
    const { data } = await answer(
      api.POST('/api/submissions/{id}/reopen', { params: { path: { id } }, body: input }),
    )
    assertConfirmed(data?.modifiedCount)
  },
})
