import { plural, t } from '@lingui/core/macro'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { cx } from '@/lib/cx'
import { placed, rubricTotal, sumOf } from './rubric'
import { CircledMark } from '@/components/ui/circled-mark'
import { controlClass } from '@/components/ui/field'
import { MarkdownArea } from '@/components/ui/markdown-area'
import { Radio } from '@/components/ui/radio'

interface RubricFieldsProps {
  /** Shapes the circle around the sum. */
  seed: string
  rubric: {
    criteria: readonly { title: string; levels: readonly { label: string; marks: number }[] }[]
  }
  /** The level of each criterion, counted from 0, as radio buttons have it. */
  chosen: readonly (string | null | undefined)[]
  /** The form's field for the level of a criterion. */
  levelAt: (at: number) => UseFormRegisterReturn
  /** The form's field for a comment on a criterion; without it there are none. */
  commentAt?: (at: number) => UseFormRegisterReturn
  errorAt: (at: number) => string | undefined
}

/** Offers the levels of each criterion, and a comment, and shows the sum of the chosen levels. */
export function RubricFields({ seed, rubric, chosen, levelAt, commentAt, errorAt }: RubricFieldsProps) {
  const all = rubric.criteria.every((_, at) => chosen[at])
  const some = rubric.criteria.some((_, at) => chosen[at])
  return (
    <div className="grid gap-5">
      {placed(rubric.criteria).map(({ title, levels, index: at, key }) => {
        const wrong = errorAt(at)
        const wrongId = wrong ? `criterion-${at}-error` : undefined
        return (
          // In the direction in which its title is read, with all its levels.
          <fieldset key={key} dir="auto" aria-describedby={wrongId} className="grid min-w-0 gap-2">
            <legend className="mb-1 text-sm font-semibold wrap-anywhere">{title}</legend>
            <div className="flex flex-wrap gap-2">
              {placed(levels).map(({ label, marks, index: level, key: value }) => (
                <Radio
                  key={value}
                  value={value}
                  aria-keyshortcuts={`${level + 1}`}
                  className="rounded-control border border-line px-3 py-1 hover:border-ink has-checked:border-green has-checked:bg-green/10"
                  {...levelAt(at)}
                >
                  <span className="min-w-0 grow wrap-anywhere">
                    <bdi>{label}</bdi>
                  </span>{' '}
                  <bdi className="whitespace-nowrap text-soft tabular-nums">
                    {plural(marks, { one: '# mark', other: '# marks' })}
                  </bdi>
                </Radio>
              ))}
            </div>
            {wrong && (
              <p id={wrongId} className="text-sm font-semibold text-red">
                <bdi>{wrong}</bdi>
              </p>
            )}
            {commentAt && (
              <MarkdownArea
                rows={1}
                dir="auto"
                aria-label={t`Comment on ${title}`}
                placeholder={t`Comment (optional)`}
                {...commentAt(at)}
                className={cx(controlClass, 'field-sizing-content max-h-60')}
              />
            )}
          </fieldset>
        )
      })}
      <p role="status" className="flex items-center gap-1 font-display text-xl font-bold tabular-nums">
        <CircledMark seed={all ? seed : null} drawn className="min-h-14 min-w-14">
          {some ? sumOf(rubric, chosen) : <span className="text-soft">--</span>}
        </CircledMark>{' '}
        <span className="text-base font-medium text-soft">{t`of ${{ total: rubricTotal(rubric) }} marks`}</span>
      </p>
    </div>
  )
}
