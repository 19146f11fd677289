import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { toast } from '@/components/ui'
import { updateSubmission } from '@/entities/submission/mutations'
import type { OwnSubmission } from '@/entities/submission/queries'
import { SubmissionDialog } from './submission-dialog'

interface ChangeDialogProps {
  submission: OwnSubmission
  onClose: () => void
}

/** Changes a submission that waits for its mark. */
export default function ChangeDialog({ submission, onClose }: ChangeDialogProps) {
  const { mutateAsync } = useMutation(updateSubmission)
  const { _id: id, assignmentTitle, docsLink, note = '' } = submission
  return (
    <SubmissionDialog
      title={t`Change Submission`}
      assignmentTitle={assignmentTitle}
      before={{ docsLink, note }}
      draft={`change ${id}`}
      button={{ label: t`Save`, busy: t`Saving...` }}
      send={(input) => mutateAsync({ id, input })}
      failed={t`Your submission was not changed.`}
      onClose={onClose}
      onSent={() => toast(t`Submission changed`)}
    />
  )
}
