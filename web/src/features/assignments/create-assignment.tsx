import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { PageHead, toast } from '@/components/ui'
import { searchParams, useSearch, words } from '@/lib/search-params'
import { createAssignment } from '@/entities/assignment/mutations'
import { AssignmentForm } from './assignment-form'
import type { Publication } from './published'

/** The values that a link to this page suggests: `?title=…&description=…&art=physics`. */
const ideaParams = searchParams({ title: words(), description: words(), art: words() })

interface CreateAssignmentProps {
  /** The circle that it is for; empty for the hall. */
  circle: string
  /** The choice of the circle. */
  forField: ReactNode
}

export function CreateAssignment({ circle, forField }: CreateAssignmentProps) {
  const navigate = useNavigate()
  const { mutateAsync } = useMutation(createAssignment)
  const [idea] = useSearch(ideaParams)
  return (
    <div className="page">
      <PageHead title={t`Create Assignment`} art="create">
        {t`Your friends see it at once. They hand in a link to a document, and anyone else can grade it.`}
      </PageHead>
      <AssignmentForm
        idea={idea.title ? idea : undefined}
        action={t`Create Assignment`}
        busyAction={t`Creating…`}
        audience={forField}
        circle={circle}
        send={async (input) => {
          const published: Publication = {
            id: await mutateAsync({ ...input, ...(circle && { circleId: circle }) }),
            title: input.title,
            marks: input.marks,
            reviewsNeeded: input.reviewsNeeded,
            rubric: input.rubric ?? undefined,
          }
          toast(t`Assignment created successfully`)
          void navigate(circle ? `/circle/${circle}` : '/assignments', { state: { published } })
        }}
      />
    </div>
  )
}
