import { useMutation } from '@tanstack/react-query'
import { showAlert } from '@/components/ui'
import { createSubmission } from './mutations'
import { SubmissionDialog } from './submission-dialog'

interface SubmitDialogProps {
  assignmentId: string
  onClose: () => void
}

/** Hands in a link to a document, with a short note. */
export default function SubmitDialog({ assignmentId, onClose }: SubmitDialogProps) {
  const { mutateAsync } = useMutation(createSubmission)
  return (
    <SubmissionDialog
      title="Submit Assignment"
      draft={`submit ${assignmentId}`}
      button={{ label: 'Submit', busy: 'Submitting...' }}
      send={(input) => mutateAsync({ assignmentId, ...input })}
      failed="Submission failed. Please try again."
      onClose={onClose}
      onSent={() => void showAlert({ title: 'Success!', text: 'Assignment submitted successfully!' })}
    />
  )
}
