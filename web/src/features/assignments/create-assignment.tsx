import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { toast } from '@/components/ui'
import { createAssignment } from './mutations'
import { AssignmentForm } from './assignment-form'

export function CreateAssignment() {
  const navigate = useNavigate()
  const { mutateAsync } = useMutation(createAssignment)
  return (
    <div className="page max-w-3xl">
      <h1 tabIndex={-1}>Create Assignment</h1>
      <p className="mt-3 max-w-prose text-soft">
        Your friends see it at once. They hand in a link to a document, and anyone but them can grade it.
      </p>
      <AssignmentForm
        action="Create Assignment"
        busyAction="Creating…"
        send={async (input) => {
          await mutateAsync(input)
          void toast('Assignment created successfully')
          void navigate('/assignments')
        }}
      />
    </div>
  )
}
