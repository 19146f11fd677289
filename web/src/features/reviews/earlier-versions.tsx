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
        {versions.length === 1 ? 'Corrected once' : `Corrected ${versions.length} times`}
      </summary>
      <ol className="grid gap-4 border-s-4 border-line ps-4">
        {versions.map(({ n, until, mark, levels, feedback, html }) => (
          <li key={n} className="grid gap-2">
            <p className="text-soft">
              Until <time dateTime={until}>{until.replaceAll('-', '/')}</time>:{' '}
              <b className="text-ink tabular-nums">{mark}</b>
            </p>
            {levels && rubric && <Levels chosen={levels} rubric={rubric} />}
            <Clamped className={feedback ? undefined : 'text-soft'}>
              {html ? <RenderedText html={html} /> : feedback || 'No feedback.'}
            </Clamped>
          </li>
        ))}
      </ol>
    </details>
  )
}
