import { AssignmentDetails } from '@/features/assignments/assignment-details'
import { RemindMe } from '@/features/progress/remind-me'
import { Results } from '@/features/progress/results'
import type { Result } from '@/features/progress/results-query'
import { StateBadge } from '@/features/progress/state-badge'
import { YouGot } from '@/features/progress/you-got'
import { Exemplars } from '@/features/reviews/exemplars'
import { ResultActions } from '@/features/reviews/result-actions'
import { TakeAssignment } from '@/features/submissions/take-assignment'
import { If } from '@/lib/template'
import { WithAssignment } from './with-assignment'

export function Component() {
  return (
    <WithAssignment>
      {(assignment) => {
        const { _id: id, title, creatorEmail, dueDate } = assignment
        return (
          <>
            <AssignmentDetails
              assignment={assignment}
              action={
                <>
                  <RemindMe assignmentId={id} creatorEmail={creatorEmail} />
                  <TakeAssignment
                    assignmentId={id}
                    title={title}
                    creatorEmail={creatorEmail}
                    dueDate={dueDate}
                    result={<YouGot assignmentId={id} />}
                    own={<StateBadge state="mine" />}
                  />
                </>
              }
            />
            <Results assignment={assignment} actionsOf={actionsOf}>
              <If value={assignment.reviewsNeeded}>
                <Exemplars assignment={assignment} />
              </If>
            </Results>
          </>
        )
      }}
    </WithAssignment>
  )
}

const actionsOf = (result: Result, describedBy: string) => (
  <ResultActions result={result} describedBy={describedBy} />
)
