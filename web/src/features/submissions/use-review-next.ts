import { useMutation } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { showAlert } from '@/components/ui'
import { explain } from '@/lib/problem'
import { useHydrated } from '@/lib/use-hydrated'
import { heldReview, holdReview, releaseReview, type HeldReview } from './held-review'
import { nextReview } from './mutations'
import { submissionOf, type PendingSubmission, type ReviewTask } from './queries'

/** The submission being marked, and the review that reserves it. */
export interface Marking {
  submission: PendingSubmission
  review?: ReviewTask
  /** It was reserved before, and something else was asked for. */
  unfinished?: boolean
}

interface ReviewNext {
  /** Reserves the next submission to review, of one assignment or of any, and opens it. */
  review: (assignmentId: string | undefined) => Promise<void>
  /** The reserved submission; null in the first HTML. */
  held: HeldReview | null
  /** Nothing is reserved any more. */
  release: () => void
}

export function useReviewNext(onMark: (marking: Marking) => void): ReviewNext {
  const { mutateAsync: reserve } = useMutation(nextReview)
  const [held, setHeld] = useState(heldReview)
  const hydrated = useHydrated()

  const review = useCallback(
    async (assignmentId: string | undefined) => {
      try {
        const task = await reserve(assignmentId)
        if (task) {
          holdReview(task)
          const unfinished = assignmentId !== undefined && task.assignmentId !== assignmentId
          onMark({ submission: submissionOf(task), review: task, unfinished })
        } else {
          void showAlert({ title: 'Nothing to review', text: 'There is nothing here for you to review now.' })
        }
        setHeld(heldReview())
      } catch (error) {
        void showAlert({ title: 'Error', text: 'Something went wrong', detail: explain(error), error: true })
      }
    },
    [reserve, onMark],
  )
  const release = useCallback(() => {
    releaseReview()
    setHeld(null)
  }, [])
  return { review, held: hydrated ? held : null, release }
}
