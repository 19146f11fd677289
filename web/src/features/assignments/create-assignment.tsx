import { useNavigate } from 'react-router'
import { toast } from '@/components/ui'
import { useBrand } from '@/lib/site'
import { useTitle } from '@/lib/use-title'
import { createAssignment } from './api'
import { AssignmentFormView } from './assignment-form'

export function CreateAssignment() {
  useTitle(`Create Assignment | ${useBrand()}`)
  const navigate = useNavigate()
  return (
    <div className="page max-w-3xl">
      <h1 tabIndex={-1}>Create Assignment</h1>
      <p className="mt-3 max-w-prose text-soft">
        Your friends see it at once. They hand in a link to a document, and anyone but them can grade it.
      </p>
      <AssignmentFormView
        action="Create Assignment"
        busyAction="Creating…"
        send={async (input) => {
          await createAssignment(input)
          void toast('Assignment created successfully')
          void navigate('/assignments')
        }}
      />
    </div>
  )
}
