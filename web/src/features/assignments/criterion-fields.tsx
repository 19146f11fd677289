import { t } from '@lingui/core/macro'
import { useId } from 'react'
import { flushSync } from 'react-dom'
import { useFieldArray, type UseFormReturn } from 'react-hook-form'
import { Button, CloseIcon, TextInput, controlClass } from '@/components/ui'
import { cx } from '@/lib/cx'
import type { AssignmentFormValues } from './form-schema'

const fewestLevels = 2
const mostLevels = 6

interface CriterionFieldsProps {
  form: UseFormReturn<AssignmentFormValues>
  /** Its position among the criteria. */
  at: number
  onRemove: () => void
}

/** A criterion of a rubric, with its levels. */
export function CriterionFields({ form, at, onRemove }: CriterionFieldsProps) {
  const { control, formState, register, setFocus } = form
  const name = `rubric.criteria.${at}` as const
  const { fields, append, remove } = useFieldArray({ control, name: `${name}.levels` })
  const errors = formState.errors.rubric?.criteria?.[at]

  function removeLevel(level: number) {
    flushSync(() => remove(level))
    setFocus(`${name}.levels.${Math.min(level, fields.length - 2)}.label`)
  }

  return (
    <fieldset className="grid min-w-0 gap-4 rounded-card border border-line bg-raised p-4 sm:p-5">
      <legend className="sr-only">{t`Criterion ${{ number: at + 1 }}`}</legend>
      <TextInput
        label={t`Criterion`}
        {...register(`${name}.title`)}
        error={errors?.title?.message}
        dir="auto"
      />
      <div className="grid gap-2">
        <p aria-hidden="true" className={cx(levelRow, 'text-sm font-semibold')}>
          <span>{t({ context: 'of a criterion', message: 'Level' })}</span>
          <span>{t`Worth`}</span>
        </p>
        {fields.map(({ id }, level) => (
          <LevelFields
            key={id}
            level={level}
            label={register(`${name}.levels.${level}.label`)}
            worth={register(`${name}.levels.${level}.marks`)}
            error={errors?.levels?.[level]?.label?.message ?? errors?.levels?.[level]?.marks?.message}
            wrong={errors?.levels?.[level]?.label ? 'label' : 'marks'}
            onRemove={fields.length > fewestLevels ? () => removeLevel(level) : undefined}
          />
        ))}
      </div>
      <div className="-mx-3 -mb-2 flex flex-wrap justify-between gap-x-4">
        {fields.length < mostLevels && (
          <Button variant="plain" size="sm" onClick={() => append({ label: '', marks: '' })}>
            {t`Add a level`}
          </Button>
        )}
        <Button variant="plain" size="sm" className="ms-auto text-red" onClick={onRemove}>
          {t`Remove criterion`}
        </Button>
      </div>
    </fieldset>
  )
}

const levelRow = 'grid grid-cols-[minmax(0,1fr)_5rem_2.75rem] gap-2'

type Registered = ReturnType<UseFormReturn<AssignmentFormValues>['register']>

interface LevelFieldsProps {
  level: number
  label: Registered
  worth: Registered
  error: string | undefined
  /** The field of the error. */
  wrong: 'label' | 'marks'
  onRemove: (() => void) | undefined
}

function LevelFields({ level, label, worth, error, wrong, onRemove }: LevelFieldsProps) {
  const errorId = useId()
  const wiring = (of: 'label' | 'marks') =>
    error && of === wrong ? { 'aria-invalid': true, 'aria-describedby': errorId } : {}
  return (
    <div>
      <div className={levelRow}>
        <input
          type="text"
          dir="auto"
          aria-label={t`Level ${{ number: level + 1 }}`}
          {...label}
          {...wiring('label')}
          className={controlClass}
        />
        <input
          type="number"
          inputMode="numeric"
          min={0}
          max={1000}
          step={1}
          aria-label={t`Level ${{ number: level + 1 }} is worth`}
          {...worth}
          {...wiring('marks')}
          className={controlClass}
        />
        {onRemove && (
          <Button
            variant="plain"
            size="sm"
            aria-label={t`Remove level ${{ number: level + 1 }}`}
            className="px-0 text-soft"
            onClick={onRemove}
          >
            <CloseIcon />
          </Button>
        )}
      </div>
      {error && (
        <p id={errorId} className="mt-1 text-sm font-semibold text-red">
          {error}
        </p>
      )}
    </div>
  )
}
