import { t } from '@lingui/core/macro'
import { useCallback } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { useParams, useSearchParams } from 'react-router'
import { AppLink, Button, TabPanel, lazyView } from '@/components/ui'
import { Report } from '@/entities/report/report'
import { AsStudentBar } from '@/features/assignments/as-student-bar'
import { AssignmentHead } from '@/features/assignments/assignment-head'
import { AssignmentDetails } from '@/features/assignments/assignment-details'
import { asStudentQuery } from '@/entities/assignment/as-student'
import { hiddenReason } from '@/entities/assignment/queries'
import { RemindMe } from '@/features/progress/remind-me'
import { OwnerParts, usePart, type Part } from '@/features/progress/owner-parts'
import { Results } from '@/features/progress/results'
import type { Result } from '@/entities/result/queries'
import { StateBadge } from '@/features/progress/state-badge'
import { TooFew } from '@/features/progress/too-few'
import { YouGot } from '@/features/progress/you-got'
import { YourTurn } from '@/features/progress/your-turn'
import { turnAfter } from '@/features/progress/turn-after'
import { Exemplars } from '@/features/reviews/exemplars'
import { ResultActions } from '@/features/reviews/result-actions'
import { GradeResult } from '@/features/submissions/grade-result'
import { TakeAssignment } from '@/features/submissions/take-assignment'
import { isOwn, mayReadResults } from '@/entities/assignment/own'
import { InCircle } from '@/entities/report/mutations'
import { useUser } from '@/lib/session'
import { AssignmentTask } from './assignment-task'
import { WithAssignment } from './with-assignment'

const Discussion = lazyView(() => import('@/features/comments/discussion'), {
  label: () => t`Loading the discussion`,
  fillsScreen: true,
})
const WhoOwes = lazyView(() => import('@/features/marks/owes'), {
  label: () => t`Loading who owes what`,
  fillsScreen: true,
})

/** The address may ask for the assignment as a student sees it: `?as=student`. */
export function Component() {
  const [search] = useSearchParams()
  return search.get('as') === 'student' ? <AsStudent /> : <OneAssignment />
}

/** Without what a student does, and what is made of that: nothing here changes anything. */
function AsStudent() {
  return (
    <WithAssignment query={asStudentQuery}>
      {(assignment) => (
        <>
          <AsStudentBar id={assignment._id} />
          <AssignmentHead title={assignment.title} />
          <AssignmentDetails
            assignment={assignment}
            action={<Button disabled>{t`Take Assignment`}</Button>}
            asStudent
          />
        </>
      )}
    </WithAssignment>
  )
}

function OneAssignment() {
  // By the address, as the page's queries are.
  const { id = '' } = useParams()
  const user = useUser()
  const client = useQueryClient()
  const part = usePart()
  const actions = useCallback(
    (result: Result, describedBy: string) => (
      <ResultActions assignmentId={id} result={result} describedBy={describedBy} />
    ),
    [id],
  )
  return (
    <WithAssignment>
      {(assignment) => {
        const { title, may, dueDate, circleId } = assignment
        const hidden = hiddenReason(assignment)
        if (hidden !== undefined) {
          return (
            <>
              <AssignmentHead title={title} hidden={hidden} />
              <AssignmentDetails assignment={assignment} hidden />
            </>
          )
        }
        const own = isOwn(assignment, user)
        const mayTake = may ? may.take : !own
        const decides = may ? may.decide : own
        const readsResults = mayReadResults(assignment, user)
        const severalReview = (assignment.reviewsNeeded ?? 0) > 0
        const open = readsResults && (part !== 'exemplars' || severalReview) ? part : 'all'
        const details = (
          <AssignmentDetails
            assignment={assignment}
            action={
              <>
                <RemindMe assignmentId={id} mayTake={mayTake} />
                <TakeAssignment
                  assignmentId={id}
                  title={title}
                  isOwn={own}
                  mayTake={may ? may.take : true}
                  dueDate={dueDate}
                  result={<YouGot assignmentId={id} />}
                  own={
                    <>
                      <StateBadge state="mine" />
                      <AppLink
                        to={`/assignment/${assignment._id}#results`}
                        className="link order-last basis-full leading-8 font-semibold"
                      >
                        {t`Results`}
                      </AppLink>
                    </>
                  }
                  turnAfter={() => turnAfter(client, id)}
                />
                <YourTurn assignmentId={id} />
                {user && !own && <Report kind="assignment" id={id} className="-ms-3 mt-2" />}
              </>
            }
          />
        )
        const discussion = <Discussion assignmentId={id} decides={decides} />
        if (!readsResults) {
          return (
            <InCircle value={circleId}>
              <AssignmentHead title={title} />
              {details}
              {discussion}
            </InCircle>
          )
        }
        const shows = (one: Part) => open === 'all' || open === one
        return (
          <InCircle value={circleId}>
            <AssignmentHead title={title}>
              <OwnerParts assignmentId={id} hasExemplars={severalReview} open={open} />
            </AssignmentHead>
            {/* What comes first in it needs no line above. */}
            <TabPanel open={open} className="[&>section:first-child>*]:border-t-0">
              {shows('task') && details}
              {shows('work') && (
                <Results
                  assignment={assignment}
                  actionsOf={actions}
                  gradeOf={(result) => (
                    <GradeResult
                      result={result}
                      assignmentId={id}
                      assignmentTitle={title}
                      task={<AssignmentTask id={id} />}
                    />
                  )}
                  notice={
                    <>
                      {decides && severalReview && <TooFew assignmentId={id} />}
                      <WhoOwes assignmentId={id} decides={decides} />
                    </>
                  }
                >
                  {open === 'all' && severalReview && <Exemplars assignment={assignment} decides={decides} />}
                </Results>
              )}
              {open === 'exemplars' && (
                <div className="page mt-6 pt-0!">
                  <Exemplars assignment={assignment} decides={decides} alone />
                </div>
              )}
              {shows('discussion') && discussion}
            </TabPanel>
          </InCircle>
        )
      }}
    </WithAssignment>
  )
}
