import { Levels, type Rubric } from './levels'

interface SelfAssessmentProps {
  levels: number[]
  mark: number
  rubric: Rubric
  total: number
  /** It is the reader's own. */
  own: boolean
}

/** How the submitter judged the work before it was settled, beside the reviews. */
export function SelfAssessment({ levels, mark, rubric, total, own }: SelfAssessmentProps) {
  return (
    <li className="grid min-w-0 content-start gap-3 rounded-card border border-dashed border-line p-5">
      <h3 className="flex items-baseline justify-between gap-3">
        <span>{own ? 'Your own judgment' : 'The submitter’s own judgment'}</span>
        <span className="tabular-nums">
          {mark} <span className="text-base font-medium text-soft">of {total}</span>
        </span>
      </h3>
      <Levels chosen={levels} rubric={rubric} />
      <p className="text-sm text-soft">Given before the mark was settled. It does not count.</p>
    </li>
  )
}
