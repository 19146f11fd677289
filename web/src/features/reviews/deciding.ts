import { t } from '@lingui/core/macro'
import { mutationOptions } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import type { components } from '@/api/schema.gen'
import { isOpen, type Result } from '@/entities/result/queries'
import { assertConfirmed } from '@/lib/assert-confirmed'

type Schemas = components['schemas']

/** A decision about a mark. With `look`, the dialog asks which one. */
export type Decision = 'keep' | 'change' | 'reviewers' | 'look' | 'known'

/**
 * The decisions that the server accepts. Once a new review is there, finalizing replaces asking for two more; where no
 * member is free to give one, nothing is asked for.
 */
export function decisionsOf(result: Result): Decision[] {
  const { may, givenMark, freeReviewers } = result
  if (isOpen(result) && may.setMark) {
    const decisions: Decision[] = givenMark === undefined ? ['change'] : ['keep', 'change']
    return may.reopen && !may.settle && freeReviewers !== 0 ? [...decisions, 'reviewers'] : decisions
  }
  return [...(may.reopen ? (['look'] as const) : []), ...(may.known ? (['known'] as const) : [])]
}

export function decisionName(
  decision: Decision,
  { givenMark, freeReviewers }: Pick<Result, 'givenMark' | 'freeReviewers'>,
): string {
  switch (decision) {
    case 'keep':
      return t`Keep ${{ mark: String(givenMark) }}`
    case 'change':
      return givenMark === undefined ? t`Set the mark` : t`Change mark`
    case 'reviewers':
      return freeReviewers === 1 ? t`One more reviewer` : t`Two more reviewers`
    case 'look':
      return t`Ask for another look`
    case 'known':
      return t`Mark it myself`
  }
}

type ReopenInput = Schemas['ReopenInputBody']

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
