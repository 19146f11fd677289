import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useId, useState } from 'react'
import { AppLink, Button, DataTable, type Column } from '@/components/ui'
import { cx } from '@/lib/cx'
import { markAt, settle, type Settled } from '@/lib/grade-model/settle'
import type { MarkExplanation } from '@/entities/review/queries'
import { Recompute } from './recompute'

/** The versions of the model differ in how the usual mark counts. */
const sentencesOf = (model: string) =>
  model === 'SC1K'
    ? t`Your mark is the average of your reviews, with the assignment's usual mark counting as one more review or, where submissions differ widely, as less. Each review is corrected for how strict its reviewer has been on other work, and counts less if that reviewer's marks do not follow the work or it lies far from the others. It is never below your lowest nor above your highest review.`
    : t`Your mark is the average of your reviews, with the assignment's usual mark counting as one more review. Each review is corrected for how strict its reviewer has been on other work, and counts less if that reviewer's marks do not follow the work or it lies far from the others. It is never below your lowest nor above your highest review.`

interface MarkSumsProps {
  mark: MarkExplanation
  estimate: number
}

/** How the mark was computed: in words, as a table, as the formula with its numbers, and once more on request. */
export function MarkSums({ mark, estimate }: MarkSumsProps) {
  const { reviews, total, givenMark, usual = 0, usualMark = 0, kappa = 1, noise = 0, model = 'SC1' } = mark
  const made = settle({ model, kappa, total, usual, noise, reviews })
  return (
    <section aria-labelledby="sums-heading" className="grid gap-6">
      <div>
        <h2 id="sums-heading">{t`How it was computed`}</h2>
        {!mark.mine && <p className="mt-3 text-soft">{t`The submitter reads:`}</p>}
        <p className="mt-3 max-w-prose">{sentencesOf(model)}</p>
      </div>
      <DataTable
        caption={t`The reviews and what they count as`}
        columns={columns()}
        rows={[...reviews, { label: t`Class average`, countsAs: usualMark, counted: kappa }]}
        rowKey={labelOf}
      />
      <p className="max-w-prose">{inWords(mark, made)}</p>
      <Maths mark={mark} made={made} estimate={estimate} />
      <Recompute estimate={estimate} givenMark={givenMark} made={made} />
      <p className="max-w-prose">
        <Trans>
          <AppLink to="/lab" className="link">
            Grade lab
          </AppLink>
          : see what other models calculate from reviews of your own.
        </Trans>
      </p>
    </section>
  )
}

const two = (x: number) => x.toFixed(2)
const one = (x: number) => x.toFixed(1)
const four = (x: number) => x.toFixed(4)

/** The weighted average as a mark, before it is kept between the lowest and the highest review. */
const reachedBy = ({ average }: Settled, total: number) => markAt(average, total)

/** The formula in words. */
function inWords(
  { reviews, usualMark = 0, kappa = 1, givenMark, total }: MarkExplanation,
  made: Settled,
): string {
  const counted = reviews.map(
    ({ label, mark, countsAs, counted: weight }) =>
      t`${label}’s ${mark} counts as ${{ countsAs: one(countsAs) }}, with a weight of ${{ weight: two(weight) }}`,
  )
  const reached = reachedBy(made, total)
  return [
    t`${{ reviews: counted.join('; ') }}; the class average (“usual mark”), ${{ usual: one(usualMark) }}, has a weight of ${{ weight: kappa === 1 ? 1 : two(kappa) }}.`,
    t`They are averaged on a scale that spreads marks near 0 and near ${total}, which the math shows, and give ${{ reached: two(reached) }} of ${total}.`,
    ...keptText(reached, made.estimate),
    t`Rounded, the mark is ${givenMark}.`,
  ].join(' ')
}

function keptText(reached: number, estimate: number): string[] {
  if (two(reached) === two(estimate)) return []
  return reached > estimate
    ? [t`It is kept at the highest review, ${{ estimate: two(estimate) }}.`]
    : [t`It is kept at the lowest review, ${{ estimate: two(estimate) }}.`]
}

/** The formula with its numbers, and the scale on which it averages, once they are asked for. */
function Maths({ mark, made, estimate }: MarkSumsProps & { made: Settled }) {
  const [shown, setShown] = useState(false)
  const id = useId()
  const { model, total, usual = 0, noise = 0 } = mark
  const usualAngle = four(usual)
  const noiseOfOne = four(noise)
  return (
    <div className="grid justify-items-start gap-3">
      <Button variant="quiet" aria-expanded={shown} aria-controls={id} onClick={() => setShown(!shown)}>
        {shown ? t`Hide the math` : t`Show the math`}
      </Button>
      <div id={id} className={cx('gap-3', shown ? 'grid' : 'hidden print:grid')}>
        <Formula mark={mark} made={made} estimate={estimate} />
        <p className="max-w-prose text-sm text-soft">
          <Trans>
            The average is taken on angles, because reviews differ less near zero and near full marks than in
            the middle: a mark’s angle is asin √(.005 + .99 × mark ÷ {total}), less its reviewer’s strictness.
            Model {model}, angle of the class average {usualAngle}, noise of one review {noiseOfOne}.
          </Trans>
        </p>
      </div>
    </div>
  )
}

/** The formula with its numbers; each line is one step further than the last. */
function Formula({ mark, made, estimate }: MarkSumsProps & { made: Settled }) {
  const { reviews, total, usual = 0, kappa = 1 } = mark
  const lines = [
    [...reviews.keys()].map(
      (at) => `${four(made.counted[at]?.weight ?? 0)} × ${four(made.counted[at]?.angle ?? 0)}`,
    ),
  ]
  const sum = [...(lines[0] ?? []), `${kappa === 1 ? 1 : four(kappa)} × ${four(usual)}`].join(' + ')
  const held = Math.abs(reachedBy(made, total) - estimate) > 0.00005
  const weights = four(made.weights)
  const average = four(made.average)
  const reached = four(reachedBy(made, total))
  const kept = four(estimate)
  const rounded = Math.floor(estimate + 0.5)
  return (
    <ol className="grid gap-2 rounded-card border border-line bg-raised p-4 text-sm tabular-nums sm:p-5">
      <li>
        <Trans>
          <b>Average angle</b> = ({sum}) ÷ {weights} = {average}
        </Trans>
      </li>
      <li>
        {held ? (
          <Trans>
            <b>As a mark</b> = {total} × (sin² {average} − .005) ÷ .99 = {reached}, held within the reviews:{' '}
            {kept}
          </Trans>
        ) : (
          <Trans>
            <b>As a mark</b> = {total} × (sin² {average} − .005) ÷ .99 = {reached}
          </Trans>
        )}
      </li>
      <li>
        <Trans>
          <b>Rounded</b>, half upwards = {rounded}
        </Trans>
      </li>
    </ol>
  )
}

/** A review, or the class average, which has no reviewer. */
interface Row {
  label: string
  mark?: number
  strictnessMarks?: number
  countsAs: number
  counted: number
}

const labelOf = ({ label }: Row) => label

/** How far the reviewer marks from the others on other work, in marks: less than they give is strict. */
function strictnessOf(marks: number): string {
  if (Math.abs(marks) < 0.05) return t`like the others`
  return marks < 0 ? t`${{ marks: one(-marks) }} stricter` : t`${{ marks: one(marks) }} more generous`
}

const columns = (): Column<Row>[] => [
  { header: t`Review`, compact: 'heading', cell: ({ label }) => <b>{label}</b> },
  { header: t`Mark`, numeric: true, cell: ({ mark }) => mark },
  {
    header: t`Strictness`,
    numeric: true,
    cell: ({ strictnessMarks: marks }) => (marks === undefined ? undefined : strictnessOf(marks)),
  },
  { header: t`Counts as`, numeric: true, cell: ({ countsAs }) => one(countsAs) },
  { header: t`Weight`, numeric: true, cell: ({ counted }) => two(counted) },
]
