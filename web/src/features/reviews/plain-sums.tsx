import { t } from '@lingui/core/macro'
import { settlePlainly, type PlainModel } from '@/lib/grade-model/plain'
import type { MarkExplanation } from '@/entities/review/queries'
import { Recompute } from './recompute'

interface PlainSumsProps {
  model: PlainModel
  mark: MarkExplanation
  estimate: number
}

/** How an average or a median was computed. */
export function PlainSums({ model, mark: { mine, reviews, givenMark }, estimate }: PlainSumsProps) {
  const marks = reviews.map(({ mark }) => mark)
  const sorted = marks.toSorted((a, b) => a - b).join(', ')
  return (
    <section aria-labelledby="sums-heading" className="grid gap-6">
      <div>
        <h2 id="sums-heading">{t`How it was computed`}</h2>
        {!mine && <p className="mt-3 text-soft">{t`The submitter reads:`}</p>}
        <p className="mt-3 max-w-prose">{sentences()[model]}</p>
      </div>
      <p className="max-w-prose tabular-nums">
        {model === 'mean'
          ? `(${marks.join(' + ')}) ÷ ${marks.length} = ${estimate.toFixed(2)}.`
          : t`In order: ${sorted}. The middle is ${{ middle: estimate.toFixed(2) }}.`}{' '}
        {t`The mark is ${givenMark}, half rounded up.`}
      </p>
      <Recompute estimate={estimate} givenMark={givenMark} made={settlePlainly(model, marks)} />
    </section>
  )
}

const sentences = () => ({
  mean: t`Your mark is the average of your reviews, which all count alike, as the creator chose for this assignment.`,
  median: t`Your mark is the median of your reviews, the one in the middle or the average of the two there, as the creator chose for this assignment.`,
})
