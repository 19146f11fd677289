import { GivenReviews } from '@/features/reviews/given-reviews'
import { useCorrection } from '@/features/submissions/correction'
import { AssignmentTask } from './assignment-task'
import { usePage } from './use-page'

const taskOf = (id: string) => <AssignmentTask id={id} />

export function Component() {
  const [page, setPage] = usePage()
  const { correct, dialog, opener } = useCorrection(taskOf)
  return (
    <>
      <GivenReviews page={page} onPage={setPage} onCorrect={correct} opener={opener} />
      {dialog}
    </>
  )
}
