import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { todayQuery } from '@/entities/today/today-query'

/** Warns an assignment's creator while its submitters are too few to give each other all reviews. */
export function TooFew({ assignmentId }: { assignmentId: string }) {
  const heading = useId()
  const { data } = useQuery(todayQuery)
  const short = data?.short.find((one) => one.assignmentId === assignmentId)
  if (!short) return null
  const { submitters, reviewsNeeded: needed } = short
  return (
    <section aria-labelledby={heading} className="max-w-prose rounded-control border border-amber px-4 py-3">
      <h3 id={heading} className="text-base text-amber">
        Too few reviewers so far
      </h3>
      <p className="mt-1">{shortText(submitters, needed)}</p>
      <ul className="mt-2 list-disc ps-5">
        <li>Send others the address of this page: the warning ends once {needed + 1} have handed in.</li>
        <li>Finalize a submission early, once it has a review.</li>
        <li>Set the mark yourself if there is no review seven days after the due date.</li>
      </ul>
    </section>
  )
}

/** Why reviews will be missing. */
function shortText(submitters: number, needed: number): string {
  return submitters === 1
    ? `One person has handed in, and each submission needs ${needed} reviews: none can come from others yet.`
    : `${submitters} people have handed in, and each submission needs ${needed} reviews: at most ${submitters - 1} of those can come from the others.`
}
