import { AssignmentDetails } from '@/features/assignments/assignment-details'
import { TakeAssignment } from '@/features/submissions/take-assignment'
import { WithAssignment } from './with-assignment'

export function Component() {
  return (
    <WithAssignment>
      {(assignment) => (
        <AssignmentDetails
          assignment={assignment}
          action={
            <TakeAssignment
              assignmentId={assignment._id}
              title={assignment.title}
              creatorEmail={assignment.creatorEmail}
              dueDate={assignment.dueDate}
            />
          }
        />
      )}
    </WithAssignment>
  )
}
