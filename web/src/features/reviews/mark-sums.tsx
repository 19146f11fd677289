import { useId, useState } from 'react'
import { AppLink, Button, DataTable, type Column } from '@/components/ui'
import { cx } from '@/lib/cx'
import { markAt, settle, type Settled } from '@/lib/grade-model/settle'
import type { MarkExplanation } from '@/entities/review/queries'
import { Recompute } from './recompute'

/** The versions of the model differ in how the usual mark counts. */
const sentencesOf = (model: string) =>
  model === 'SC1K'
    ? "Your mark is the average of your reviews, with the assignment's usual mark counting as one more review or, where submissions differ widely, as less. Each review is corrected for how strict its reviewer has been on other work, and counts less if that reviewer's marks do not follow the work or it lies far from the others. It is never below your lowest nor above your highest review."
    : "Your mark is the average of your reviews, with the assignment's usual mark counting as one more review. Each review is corrected for how strict its reviewer has been on other work, and counts less if that reviewer's marks do not follow the work or it lies far from the others. It is never below your lowest nor above your highest review."

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
        <h2 id="sums-heading">How it was computed</h2>
        {!mark.mine && <p className="mt-3 text-soft">The submitter reads:</p>}
        <p className="mt-3 max-w-prose">{sentencesOf(model)}</p>
      </div>
      <DataTable
        caption="The reviews and what they count as"
        columns={columns()}
        rows={[...reviews, { label: 'Class average', countsAs: usualMark, counted: kappa }]}
        rowKey={labelOf}
      />
      <p className="max-w-prose">{inWords(mark, made)}</p>
      <Maths mark={mark} made={made} estimate={estimate} />
      <Recompute estimate={estimate} givenMark={givenMark} made={made} />
      <p className="max-w-prose">
        <AppLink to="/lab" className="link">
          Grade lab
        </AppLink>
        : see what other models calculate from reviews of your own.
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
      `${label}’s ${mark} counts as ${one(countsAs)}, with a weight of ${two(weight)}`,
  )
  const reached = reachedBy(made, total)
  return [
    `${counted.join('; ')}; the class average (“usual mark”), ${one(usualMark)}, has a weight of ${kappa === 1 ? 1 : two(kappa)}.`,
    `They are averaged on a scale that spreads marks near 0 and near ${total}, which the math shows, and give ${two(reached)} of ${total}.`,
    ...keptText(reached, made.estimate),
    `Rounded, the mark is ${givenMark}.`,
  ].join(' ')
}

function keptText(reached: number, estimate: number): string[] {
  if (two(reached) === two(estimate)) return []
  return reached > estimate
    ? [`It is kept at the highest review, ${two(estimate)}.`]
    : [`It is kept at the lowest review, ${two(estimate)}.`]
}

/** The formula with its numbers, and the scale on which it averages, once they are asked for. */
function Maths({ mark, made, estimate }: MarkSumsProps & { made: Settled }) {
  const [shown, setShown] = useState(false)
  const id = useId()
  const { model, usual = 0, noise = 0 } = mark
  return (
    <div className="grid justify-items-start gap-3">
      <Button variant="quiet" aria-expanded={shown} aria-controls={id} onClick={() => setShown(!shown)}>
        {shown ? 'Hide the math' : 'Show the math'}
      </Button>
      <div id={id} className={cx('gap-3', shown ? 'grid' : 'hidden print:grid')}>
        <Formula mark={mark} made={made} estimate={estimate} />
        <p className="max-w-prose text-sm text-soft">
          The average is taken on angles, because reviews differ less near zero and near full marks than in
          the middle: a mark’s angle is asin √(.005 + .99 × mark ÷ {mark.total}), less its reviewer’s
          strictness. Model {model}, angle of the class average {usual.toFixed(4)}, noise of one review{' '}
          {noise.toFixed(4)}.
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
  const reached = reachedBy(made, total)
  const held = Math.abs(reached - estimate) > 0.00005
  return (
    <ol className="grid gap-2 rounded-card border border-line bg-raised p-4 text-sm tabular-nums sm:p-5">
      <li>
        <b>Average angle</b> = ({sum}) ÷ {four(made.weights)} = {four(made.average)}
      </li>
      <li>
        <b>As a mark</b> = {total} × (sin² {four(made.average)} − .005) ÷ .99 = {four(reached)}
        {held && `, held within the reviews: ${four(estimate)}`}
      </li>
      <li>
        <b>Rounded</b>, half upwards = {Math.floor(estimate + 0.5)}
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
  if (Math.abs(marks) < 0.05) return 'like the others'
  return marks < 0 ? `${one(-marks)} stricter` : `${one(marks)} more generous`
}

const columns = (): Column<Row>[] => [
  { header: 'Review', compact: 'heading', cell: ({ label }) => <b>{label}</b> },
  { header: 'Mark', numeric: true, cell: ({ mark }) => mark },
  {
    header: 'Strictness',
    numeric: true,
    cell: ({ strictnessMarks: marks }) => (marks === undefined ? undefined : strictnessOf(marks)),
  },
  { header: 'Counts as', numeric: true, cell: ({ countsAs }) => one(countsAs) },
  { header: 'Weight', numeric: true, cell: ({ counted }) => two(counted) },
]
