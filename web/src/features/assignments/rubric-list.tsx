import { Trans } from '@lingui/react/macro'
import type { Assignment } from '@/entities/assignment/queries'

/**
 * The criteria by which submissions are reviewed, each with its levels and their marks, in the direction in
 * which its title is read.
 */
export function RubricList({ rubric }: { rubric: NonNullable<Assignment['rubric']> }) {
  return (
    <dl className="grid gap-4">
      {rubric.criteria.map(({ title, levels }, criterion) => (
        // oxlint-disable-next-line react/no-array-index-key -- titles may repeat, and places never change
        <div key={criterion} dir="auto" className="border-s-4 border-line ps-4">
          <dt className="font-semibold wrap-anywhere">{title}</dt>
          {levels.map(({ label, marks }, level) => (
            // oxlint-disable-next-line react/no-array-index-key -- as above
            <dd key={level} className="flex max-w-md items-baseline justify-between gap-4 text-sm">
              <bdi className="wrap-anywhere">{label}</bdi>
              <span className="text-soft tabular-nums">
                <Trans>
                  <span className="sr-only">worth </span>
                  {marks}
                </Trans>
              </span>
            </dd>
          ))}
        </div>
      ))}
    </dl>
  )
}
