import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
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
  const enough = needed + 1
  return (
    <section aria-labelledby={heading} className="max-w-prose rounded-control border border-amber px-4 py-3">
      <h3 id={heading} className="text-base text-amber">
        {t`Too few reviewers so far`}
      </h3>
      <p className="mt-1">{shortText(submitters, needed)}</p>
      <ul className="mt-2 list-disc ps-5">
        <li>
          <Trans>Send others the address of this page: the warning ends once {enough} have handed in.</Trans>
        </li>
        <li>{t`Finalize a submission early, once it has a review.`}</li>
        <li>{t`Set the mark yourself if there is no review seven days after the due date.`}</li>
      </ul>
    </section>
  )
}

/** Why reviews will be missing. */
function shortText(submitters: number, needed: number): string {
  if (submitters === 1)
    return t`One person has handed in, and each submission needs ${needed} reviews: none can come from others yet.`
  const others = submitters - 1
  return t`${plural(submitters, {
    one: `${submitters} person has handed in`,
    other: `${submitters} people have handed in`,
  })}, and each submission needs ${needed} reviews: at most ${others} of those can come from the others.`
}
