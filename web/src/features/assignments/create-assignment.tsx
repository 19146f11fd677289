import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { PageHead, toast } from '@/components/ui'
import { createAssignment } from '@/entities/assignment/mutations'
import { AssignmentForm, type Idea } from './assignment-form'
import type { Publication } from './published'

/** The values that a link to this page suggests: `?title=…&description=…&art=physics`. */
function ideaOf(address: URLSearchParams): Idea | undefined {
  const [title, description, art] = ['title', 'description', 'art'].map((name) => address.get(name))
  return title ? { title, description: description ?? '', art: art ?? '' } : undefined
}

interface CreateAssignmentProps {
  /** The circle that it is for; empty for the hall. */
  circle: string
  /** The choice of the circle. */
  forField: ReactNode
}

export function CreateAssignment({ circle, forField }: CreateAssignmentProps) {
  const navigate = useNavigate()
  const { mutateAsync } = useMutation(createAssignment)
  return (
    <div className="page">
      <PageHead title="Create Assignment" art="create">
        Your friends see it at once. They hand in a link to a document, and anyone else can grade it.
      </PageHead>
      <AssignmentForm
        idea={ideaOf(useSearchParams()[0])}
        action="Create Assignment"
        busyAction="Creating…"
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
          toast('Assignment created successfully')
          void navigate(circle ? `/circle/${circle}` : '/assignments', { state: { published } })
        }}
      />
    </div>
  )
}
