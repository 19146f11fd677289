import { GivenReviews } from '@/features/reviews/given-reviews'
import { usePage } from './use-page'

export function Component() {
  const [page, setPage] = usePage()
  return <GivenReviews page={page} onPage={setPage} />
}
