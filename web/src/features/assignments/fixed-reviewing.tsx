import { t } from '@lingui/core/macro'
import type { Assignment } from '@/entities/assignment/queries'
import { RubricList } from './rubric-list'

const waysToMark = () => ({ model: t`model`, average: t`average`, median: t`median` })

/** How submissions are reviewed, for an assignment that has one. */
export default function FixedReviewing({
  assignment: { reviewsNeeded = 1, markBy, rubric },
}: {
  assignment: Assignment
}) {
  return (
    <>
      <div className="grid gap-1.5">
        <p className="text-sm font-semibold">{t`Reviews needed`}</p>
        <p className="-mt-1 text-sm text-soft">
          {t`Work has been handed in, so how submissions are reviewed can no longer change.`}
        </p>
        <p className="flex min-h-11 items-center font-display text-xl font-bold">{reviewsNeeded}</p>
      </div>
      {markBy && (
        <div className="grid gap-1.5">
          <p className="text-sm font-semibold">{t`Mark by`}</p>
          <p className="flex min-h-11 items-center font-display text-xl font-bold first-letter:uppercase">
            {waysToMark()[markBy]}
          </p>
        </div>
      )}
      {rubric && (
        <section aria-label={t`Rubric`} className="grid gap-3 sm:col-span-2">
          <p className="text-sm font-semibold">{t`Rubric`}</p>
          <RubricList rubric={rubric} />
        </section>
      )}
    </>
  )
}
