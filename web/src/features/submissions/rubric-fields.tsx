import { useWatch, type Control, type FieldErrors, type UseFormRegister } from 'react-hook-form'
import type { MarkForm } from './mark-dialog'
import type { ReviewTask } from './queries'

interface RubricFieldsProps {
  rubric: NonNullable<ReviewTask['rubric']>
  control: Control<MarkForm>
  register: UseFormRegister<MarkForm>
  errors: FieldErrors<MarkForm>
}

/** Titles and labels may repeat; a rubric's places never change. */
const placed = <T,>(all: readonly T[]) => all.map((one, at) => ({ ...one, at, key: `${at}` }))

/** A choice of levels for each criterion, and what they add up to. */
export function RubricFields({ rubric, control, register, errors }: RubricFieldsProps) {
  const chosen = useWatch({ control, name: 'levels' })
  const sum = rubric.criteria.reduce((marks, { levels }, at) => {
    const level = chosen[at] ? levels[Number(chosen[at])] : undefined
    return marks + (level?.marks ?? 0)
  }, 0)
  const total = rubric.criteria.reduce(
    (marks, { levels }) => marks + Math.max(...levels.map((l) => l.marks)),
    0,
  )
  return (
    <div className="grid gap-5">
      {placed(rubric.criteria).map(({ title, levels, at, key }) => {
        const wrong = errors.levels?.[at]?.message
        const wrongId = wrong ? `criterion-${at}-error` : undefined
        return (
          <fieldset key={key} aria-describedby={wrongId} className="grid gap-1">
            <legend dir="auto" className="mb-1 text-sm font-semibold wrap-anywhere">
              {title}
            </legend>
            {placed(levels).map(({ label, marks, key: value }) => (
              <label key={value} className="flex min-h-8 items-center gap-3">
                <input
                  type="radio"
                  value={value}
                  {...register(`levels.${at}`, { required: 'Choose a level.' })}
                  className="size-5 shrink-0 accent-green"
                />
                <span dir="auto" className="min-w-0 grow wrap-anywhere">
                  {label}
                </span>{' '}
                <span className="text-soft tabular-nums">
                  {marks} {marks === 1 ? 'mark' : 'marks'}
                </span>
              </label>
            ))}
            {wrong && (
              <p id={wrongId} className="text-sm font-semibold text-red">
                {wrong}
              </p>
            )}
          </fieldset>
        )
      })}
      <p role="status" className="font-semibold tabular-nums">
        {sum} of {total} marks
      </p>
    </div>
  )
}
