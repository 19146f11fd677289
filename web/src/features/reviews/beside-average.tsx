import { t } from '@lingui/core/macro'
import { isPlain } from '@/lib/grade-model/plain'
import { rounded } from '@/lib/rounded'
import { MarkOf } from './mark-of'
import { plainAverage, whyItDiffers } from './plain-average'
import type { MarkExplanation } from '@/entities/review/queries'

/** The plain average of the reviews beside the mark, and why they differ. */
export function BesideAverage({ mark, estimate }: { mark: MarkExplanation; estimate: number }) {
  const { reviews, total, givenMark, usualMark = 0, kappa = 1, model = '' } = mark
  const figures = [
    { term: t`Plain average`, value: rounded(plainAverage(reviews), total).toFixed(1) },
    { term: t`Mark`, value: givenMark },
  ]
  return (
    <section
      aria-label={t`Plain average and mark`}
      className="flex flex-wrap items-center gap-x-10 gap-y-4 rounded-card border border-line bg-raised p-5 sm:px-8"
    >
      <dl className="flex gap-8">
        {figures.map(({ term, value }) => (
          <div key={term}>
            <dt className="text-sm text-soft">{term}</dt>
            <dd className="font-display text-2xl font-bold tabular-nums">
              <MarkOf mark={value} total={total} />
            </dd>
          </div>
        ))}
      </dl>
      <p className="max-w-prose min-w-0 grow basis-72">
        {isPlain(model) ? whyPlain()[model] : whyItDiffers({ reviews, total, estimate, usualMark, kappa })}
      </p>
    </section>
  )
}

const whyPlain = () => ({
  mean: t`The mark is the plain average, half rounded up.`,
  median: t`The mark is the review in the middle: one that is far from the others moves it less than the average.`,
})
