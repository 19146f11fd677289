import { t } from '@lingui/core/macro'
import { useState, type ReactNode } from 'react'
import { Button, lazyDialog } from '@/components/ui'
import type { PendingSubmission } from '@/entities/submission/queries'

const markDialog = lazyDialog(() => import('./mark-dialog'), {
  title: () => t`Mark Assignment`,
  size: 'desk',
})

interface GradeResultProps {
  /** A submission for the user's own assignment, with its document. */
  result: Omit<PendingSubmission, 'submittedBy' | 'status' | 'assignmentTitle'> & {
    submittedBy: string | null
  }
  assignmentId: string
  assignmentTitle: string
  /** The assignment's task. */
  task: ReactNode
}

/** Gives the one grade of a submission, where it is read. */
export function GradeResult({ result, assignmentId, assignmentTitle, task }: GradeResultProps) {
  const [grading, setGrading] = useState(false)
  const submittedBy = result.submittedBy ?? ''
  return (
    <>
      <Button variant="quiet" size="sm" {...markDialog.opener} onClick={() => setGrading(true)}>
        {t`Grade`}
      </Button>
      {grading && (
        <markDialog.Dialog
          submission={{ ...result, assignmentId, assignmentTitle, submittedBy, status: 'pending' }}
          review={undefined}
          unfinished={false}
          task={task}
          onClose={() => setGrading(false)}
          findAnother={() => Promise.resolve({})}
        />
      )}
    </>
  )
}
