import { useQueryClient } from '@tanstack/react-query'
import { GivenOfOwed } from '@/features/progress/given-of-owed'
import { afterReview } from '@/features/progress/turn-after'
import { PendingList } from '@/features/submissions/pending-list'
import { AssignmentTask } from './assignment-task'

/** The submissions of a circle that wait for a grade, as a part of its page. */
export default function CirclePending({ circle }: { circle: string }) {
  const client = useQueryClient()
  return (
    <PendingList
      circle={circle}
      taskOf={(assignmentId) => <AssignmentTask id={assignmentId} />}
      givenOf={givenOf}
      afterReview={(assignmentId) => afterReview(client, assignmentId)}
    />
  )
}

const givenOf = (id: string) => <GivenOfOwed assignmentId={id} />
