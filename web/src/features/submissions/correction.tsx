import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState, type ReactNode } from 'react'
import { lazyDialog, failed } from '@/components/ui'
import { correctableQuery, submissionOf, type CorrectableReview } from '@/entities/submission/queries'

const markDialog = lazyDialog(() => import('./mark-dialog'), {
  title: () => t`Mark Assignment`,
  size: 'desk',
})

interface Correction {
  /** Opens a review of the user's to correct it. */
  correct: (reviewId: string) => Promise<void>
  /** The open dialog, or nothing. */
  dialog: ReactNode
  /** For the button, which prefetches the code. */
  opener: typeof markDialog.opener
}

const none = () => Promise.resolve({})

/** Corrects the user's own reviews in the dialog in which they were written. `taskOf` shows an assignment's task. */
export function useCorrection(taskOf: (assignmentId: string) => ReactNode): Correction {
  const client = useQueryClient()
  const [correcting, setCorrecting] = useState<CorrectableReview | null>(null)
  const correct = useCallback(
    async (reviewId: string) => {
      try {
        setCorrecting(await client.fetchQuery(correctableQuery(reviewId)))
      } catch (error) {
        void failed(error, t`Something went wrong`)
      }
    },
    [client],
  )
  const dialog = correcting && (
    <markDialog.Dialog
      submission={submissionOf(correcting)}
      review={undefined}
      correcting={correcting}
      unfinished={false}
      task={taskOf(correcting.assignmentId)}
      onClose={() => setCorrecting(null)}
      findAnother={none}
    />
  )
  return { correct, dialog, opener: markDialog.opener }
}
