import { plural, t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useCallback } from 'react'
import { failed, showConfirm, toast } from '@/components/ui'
import { withdrawSubmission } from '@/entities/submission/mutations'
import type { OwnSubmission } from '@/entities/submission/queries'

/** Withdraws the user's own submission after a confirmation. */
export function useWithdraw(): (submission: OwnSubmission) => void {
  const { mutateAsync } = useMutation(withdrawSubmission)
  return useCallback(
    ({ _id: id, reviews, reviewsNeeded }) => {
      const withdraw = async () => {
        const sure = await showConfirm({
          title: t`Are you sure?`,
          text: lossOf(reviews, reviewsNeeded),
          confirm: t`Yes, withdraw it`,
          danger: true,
        })
        if (!sure) return
        try {
          await mutateAsync(id)
        } catch (error) {
          const text = t`Your submission was not withdrawn.`
          void failed(error, text)
          return
        }
        toast(t`Submission withdrawn`)
      }
      void withdraw()
    },
    [mutateAsync],
  )
}

/** The sentence about what becomes of a withdrawn submission, by the number of reviews that the submitter sees. */
function lossOf(reviews = 0, reviewsNeeded = 0): string {
  return `${lostText(reviews, reviewsNeeded)} ${t`You can hand the assignment in again.`}`
}

function lostText(reviews: number, reviewsNeeded: number): string {
  if (reviewsNeeded === 0) return t`It will not be marked.`
  return plural(reviews, {
    one: 'Its reviews, # at the end of yesterday and any of today, stay with their reviewers and do not count for your next attempt.',
    other:
      'Its reviews, # at the end of yesterday and any of today, stay with their reviewers and do not count for your next attempt.',
  })
}
