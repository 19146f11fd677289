import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { GivenOfOwed } from '@/features/progress/given-of-owed'
import { afterReview } from '@/features/progress/turn-after'
import { PendingList } from '@/features/submissions/pending-list'
import { AssignmentTask } from './assignment-task'

export function Component() {
  const { state } = useLocation()
  const client = useQueryClient()
  return (
    <PendingList
      wanted={textIn(state, 'mark')}
      toReview={textIn(state, 'review')}
      taskOf={(id) => <AssignmentTask id={id} />}
      givenOf={givenOf}
      afterReview={(id) => afterReview(client, id)}
    />
  )
}

/** The user's choice on another page: a submission to mark (`mark`), or an assignment to review for (`review`). */
function textIn(state: unknown, key: 'mark' | 'review'): string | undefined {
  const value =
    typeof state === 'object' && state !== null ? (state as Record<string, unknown>)[key] : undefined
  return typeof value === 'string' ? value : undefined
}

const givenOf = (id: string) => <GivenOfOwed assignmentId={id} />
