import { GivenReviews } from '@/features/reviews/given-reviews'
import { useCorrection } from '@/features/submissions/correction'
import { AssignmentTask } from './assignment-task'

const taskOf = (id: string) => <AssignmentTask id={id} />

export function Component() {
  const { correct, dialog, opener } = useCorrection(taskOf)
  return (
    <>
      <GivenReviews onCorrect={correct} opener={opener} />
      {dialog}
    </>
  )
}
