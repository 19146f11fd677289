import { toast } from '@/components/ui'
import { changeWork, type OwnSubmission } from './api'
import { WorkDialog } from './work-dialog'

interface ChangeDialogProps {
  submission: OwnSubmission
  onClose: () => void
}

/** Changes what waits for its mark. */
export default function ChangeDialog({ submission, onClose }: ChangeDialogProps) {
  const { _id: id, docsLink, note = '' } = submission
  return (
    <WorkDialog
      title="Change Submission"
      work={{ docsLink, note }}
      draft={`change ${id}`}
      button={{ label: 'Save', busy: 'Saving...' }}
      send={(work) => changeWork(id, work)}
      failed="Your submission was not changed."
      onClose={onClose}
      onSent={() => void toast('Submission changed')}
    />
  )
}
