import { t } from '@lingui/core/macro'
import { Levels, type Rubric } from './levels'
import { MarkOf } from './mark-of'

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
        <span>{own ? t`Your own judgment` : t`The submitter’s own judgment`}</span>
        <span className="tabular-nums">
          <MarkOf mark={mark} total={total} />
        </span>
      </h3>
      <Levels chosen={levels} rubric={rubric} />
      <p className="text-sm text-soft">{t`Given before the mark was settled. It does not count.`}</p>
    </li>
  )
}
