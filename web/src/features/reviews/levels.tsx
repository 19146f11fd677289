import { placed } from '@/entities/rubric/rubric'
import type { ReceivedReviews } from '@/entities/review/queries'

export type Rubric = NonNullable<ReceivedReviews['rubric']>

/** The chosen level of each criterion. */
export function Levels({ chosen, rubric }: { chosen: number[]; rubric: Rubric }) {
  return (
    <dl className="grid gap-1 border-y border-line py-3 text-sm">
      {placed(rubric.criteria).map(({ title, levels, index: at, key }) => {
        const level = levels[chosen[at] ?? -1]
        return (
          <div key={key} dir="auto" className="flex flex-wrap items-baseline justify-between gap-x-4">
            <dt className="wrap-anywhere text-soft">{title}</dt>
            <dd className="wrap-anywhere">
              <bdi>{level?.label}</bdi> <b className="tabular-nums">{level?.marks}</b>
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
