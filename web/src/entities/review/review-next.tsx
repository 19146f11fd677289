import { t } from '@lingui/core/macro'
import { LinkButton } from '@/components/ui/link-button'

interface ReviewNextProps {
  assignmentId: string
  /** One is reserved for the viewer already. */
  held?: boolean
  describedBy?: string
  className?: string
  onClick?: () => void
}

/** Leads to the pending list, which reserves the next submission of an assignment and opens it at once. */
export function ReviewNext({ assignmentId, held = false, describedBy, className, onClick }: ReviewNextProps) {
  return (
    <LinkButton
      to="/pending-assignments"
      state={{ review: assignmentId }}
      size="sm"
      className={className}
      aria-describedby={describedBy}
      onClick={onClick}
    >
      {held ? t`Continue review` : t`Review next`}
    </LinkButton>
  )
}
