import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { DueDate, showAlert } from '@/components/ui'
import { createSubmission } from '@/entities/submission/mutations'
import { SubmissionDialog } from './submission-dialog'

/** What the user can review after a hand-in. */
export interface TurnAfter {
  /** In whole sentences; '' for nothing. */
  text: string
  /** Reviews are owed. */
  owes: boolean
}

interface SubmitDialogProps {
  assignmentId: string
  title: string
  dueDate: string
  turnAfter: () => Promise<TurnAfter>
  onClose: () => void
  /** It is handed in, and that is read. */
  onDone: () => void
}

/** Hands in a link to a document, with a short note. */
export default function SubmitDialog(props: SubmitDialogProps) {
  const { assignmentId, title, dueDate, turnAfter, onClose, onDone } = props
  const { mutateAsync } = useMutation(createSubmission)

  const [late] = useState(() => Date.now() > Date.parse(dueDate))

  async function celebrate() {
    const { text, owes } = await turnAfter()
    const elsewhere = await showAlert({
      title: t`Success!`,
      text: t`Assignment submitted successfully!`,
      detail: text,
      next: owes
        ? { label: t`Review next`, to: '/pending-assignments', state: { review: assignmentId } }
        : { label: t`See it in My Submitted`, to: '/attemded-assignments' },
    })
    if (!elsewhere) onDone()
  }

  return (
    <SubmissionDialog
      title={t`Submit Assignment`}
      assignmentTitle={title}
      intro={
        late && (
          <p className="mb-5 rounded-control border border-amber px-4 py-3 text-sm">
            <Trans>
              <strong className="font-semibold text-amber">The due date has passed:</strong>{' '}
              <DueDate instant={dueDate} />. You can still hand it in; it will be marked as late.
            </Trans>
          </p>
        )
      }
      draft={`submit ${assignmentId}`}
      button={{ label: t`Submit`, busy: t`Submitting...` }}
      send={(input) => mutateAsync({ assignmentId, ...input })}
      failed={t`Submission failed. Please try again.`}
      onClose={onClose}
      onSent={() => void celebrate()}
    />
  )
}
