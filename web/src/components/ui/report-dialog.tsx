import { useMutation } from '@tanstack/react-query'
import { report, type Reported } from '@/lib/report'
import { ReasonDialog } from './reason-dialog'
import { toast } from './toast'

interface ReportDialogProps {
  kind: Reported
  id: string
  onClose: () => void
}

/** Reports something to the moderators. */
export default function ReportDialog({ kind, id, onClose }: ReportDialogProps) {
  const { mutateAsync } = useMutation(report)
  return (
    <ReasonDialog
      title="Report"
      draft={`report ${kind} ${id}`}
      hint="What is wrong with it? Your report is anonymous."
      action={{ label: 'Report', busy: 'Reporting...' }}
      send={(reason) => mutateAsync({ kind, id, reason })}
      onClose={onClose}
      onSent={() => void toast('Thank you. A moderator will look at it.')}
    />
  )
}
