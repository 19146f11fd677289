import { t } from '@lingui/core/macro'
import { AppLink } from '@/components/ui'

interface AssignmentTitleProps {
  submission: { _id: string; assignmentId?: string; assignmentTitle: string }
  /** Something that only an assignment which is still there has. */
  linked: string | undefined
}

/** The title that something was handed in under, which leads to its assignment. */
export function AssignmentTitle({ submission, linked }: AssignmentTitleProps) {
  const { _id: id, assignmentId, assignmentTitle } = submission
  const title = (
    <bdi id={`title-${id}`} className="font-semibold">
      {assignmentTitle || t`Untitled`}
    </bdi>
  )
  return linked ? (
    <AppLink
      to={`/assignment/${assignmentId}`}
      className="text-ink decoration-line decoration-2 underline underline-offset-4 hover:decoration-green"
    >
      {title}
    </AppLink>
  ) : (
    title
  )
}
