import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Clamped, RenderedText } from '@/components/ui'
import { Levels, type Rubric } from './levels'
import { correctionsQuery } from '@/entities/review/queries'

interface EarlierVersionsProps {
  submissionId: string
  /** The review's. */
  label: string
  rubric: Rubric | undefined
}

/** What a review said before its reviewer corrected it, for those who read the results. */
export function EarlierVersions({ submissionId, label, rubric }: EarlierVersionsProps) {
  const { data } = useQuery(correctionsQuery(submissionId))
  const versions = data?.filter((version) => version.label === label) ?? []
  if (versions.length === 0) return null
  return (
    <details className="text-sm">
      <summary className="min-h-11 cursor-pointer py-3 font-semibold md:min-h-9 md:py-2">
        {plural({ count: versions.length }, { one: 'Corrected once', other: 'Corrected # times' })}
      </summary>
      <ol className="grid gap-4 border-s-4 border-line ps-4">
        {versions.map(({ n, until, mark, levels, feedback, html }) => (
          <li key={n} className="grid gap-2">
            <p className="text-soft">
              <Until day={until} mark={mark} />
            </p>
            {levels && rubric && <Levels chosen={levels} rubric={rubric} />}
            <Clamped className={feedback ? undefined : 'text-soft'}>
              {html ? <RenderedText html={html} /> : feedback || t`No feedback.`}
            </Clamped>
          </li>
        ))}
      </ol>
    </details>
  )
}

function Until({ day, mark }: { day: string; mark: number }) {
  const shown = day.replaceAll('-', '/')
  return (
    <Trans>
      Until <time dateTime={day}>{shown}</time>: <b className="text-ink tabular-nums">{mark}</b>
    </Trans>
  )
}
