import { useParams } from 'react-router'
import { AssignmentDetails } from '@/features/assignments/assignment-details'
import { Discussion } from '@/features/comments/discussion'
import { Report } from '@/features/comments/report'
import { TakeAssignment } from '@/features/submissions/take-assignment'
import { useUser } from '@/lib/session'
import { If, same } from '@/lib/template'
import { WithAssignment } from './with-assignment'

export function Component() {
  // By the address, as the page's queries are.
  const { id = '' } = useParams()
  const user = useUser()
  return (
    <WithAssignment>
      {(assignment) => (
        <>
          <AssignmentDetails
            assignment={assignment}
            action={
              <>
                <TakeAssignment
                  assignmentId={assignment._id}
                  creatorEmail={assignment.creatorEmail}
                  dueDate={assignment.dueDate}
                />
                {user && (
                  <If
                    value={same(user.email, assignment.creatorEmail)}
                    otherwise={<Report kind="assignment" id={id} />}
                  >
                    {null}
                  </If>
                )}
              </>
            }
          />
          <Discussion assignmentId={id} creatorEmail={assignment.creatorEmail} />
        </>
      )}
    </WithAssignment>
  )
}
