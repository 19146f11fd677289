import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useCallback } from 'react'
import { failed, showAlert } from '@/components/ui'
import { nextReview } from '@/entities/submission/mutations'
import { submissionOf, type PendingSubmission, type ReviewTask } from '@/entities/submission/queries'

/** The submission being marked, and the review that reserves it. */
export interface Marking {
  submission: PendingSubmission
  review?: ReviewTask
  /** It was reserved before, and something else was asked for. */
  unfinished?: boolean
}

/** Reserves the next submission to review, of one assignment or of any, and opens it. */
export function useReviewNext(onMark: (marking: Marking) => void) {
  const { mutateAsync: reserve } = useMutation(nextReview)
  return useCallback(
    async (assignmentId: string | undefined) => {
      try {
        const task = await reserve(assignmentId)
        if (task) {
          const unfinished = assignmentId !== undefined && task.assignmentId !== assignmentId
          onMark({ submission: submissionOf(task), review: task, unfinished })
        } else {
          void showAlert({
            title: t`Nothing to review`,
            text: t`There is nothing here for you to review now.`,
          })
        }
      } catch (error) {
        void failed(error, t`Something went wrong`)
      }
    },
    [reserve, onMark],
  )
}
