import { useParams } from 'react-router'
import { AssignmentDetails } from '@/features/assignments/assignment-details'
import { Discussion } from '@/features/comments/discussion'
import { TakeAssignment } from '@/features/submissions/take-assignment'
import { WithAssignment } from './with-assignment'

export function Component() {
  // By the address, as the page's queries are.
  const { id = '' } = useParams()
  return (
    <WithAssignment>
      {(assignment) => (
        <>
          <AssignmentDetails
            assignment={assignment}
            action={
              <TakeAssignment
                assignmentId={assignment._id}
                creatorEmail={assignment.creatorEmail}
                dueDate={assignment.dueDate}
              />
            }
          />
          <Discussion assignmentId={id} creatorEmail={assignment.creatorEmail} />
        </>
      )}
    </WithAssignment>
  )
}
