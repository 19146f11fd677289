import { alertBox } from '@/components/ui'
import { submitWork } from './api'
import { WorkDialog } from './work-dialog'

interface SubmitDialogProps {
  assignmentId: string
  onClose: () => void
}

/** Hands in a link to a document, with a short note. */
export default function SubmitDialog({ assignmentId, onClose }: SubmitDialogProps) {
  return (
    <WorkDialog
      title="Submit Assignment"
      draft={`submit ${assignmentId}`}
      button={{ label: 'Submit', busy: 'Submitting...' }}
      send={(work) => submitWork({ assignmentId, ...work })}
      failed="Submission failed. Please try again."
      onClose={onClose}
      onSent={() => void alertBox({ title: 'Success!', text: 'Assignment submitted successfully!' })}
    />
  )
}
