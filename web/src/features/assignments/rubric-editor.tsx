import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useFieldArray, useWatch, type UseFormReturn } from 'react-hook-form'
import { Button } from '@/components/ui'
import { rubricTotal } from '@/entities/rubric/rubric'
import { CriterionFields } from './criterion-fields'
import { rubricOf, type AssignmentFormValues } from './form-schema'
import { SaveRubric } from './save-rubric'
import { SavedRubrics } from './saved-rubrics'
import type { Criterion } from '@/entities/rubric/saved-rubrics-query'

const mostCriteria = 10

/** A new criterion: only its name is missing. */
const newCriterion = () => ({
  title: '',
  levels: [
    { label: t`Not yet`, marks: '0' },
    { label: t`Partly`, marks: '5' },
    { label: t`Fully`, marks: '10' },
  ],
})

/** A saved criterion as the form has it. */
const asTyped = ({ title, levels }: Criterion) => ({
  title,
  levels: levels.map(({ label, marks }) => ({ label, marks: String(marks) })),
})

interface RubricEditorProps {
  form: UseFormReturn<AssignmentFormValues>
  /** The assignment's circle; empty for none. */
  circle: string
}

/** The criteria by which submissions are reviewed. They add up to the assignment's marks. */
export default function RubricEditor({ form, circle }: RubricEditorProps) {
  const { control, formState, getValues, setFocus, setValue } = form
  // The value of Marks before the rubric changed it, and the rubric's latest value.
  const [before, setBefore] = useState('')
  const made = useRef('')
  const { fields, append, remove, replace } = useFieldArray({ control, name: 'rubric.criteria' })
  const rubric = useWatch({ control, name: 'rubric' })
  const total = rubricTotal(rubricOf(rubric ?? { criteria: [] }))
  const addButton = useRef<HTMLButtonElement>(null)
  const error = formState.errors.rubric?.message ?? formState.errors.rubric?.criteria?.message
  useEffect(() => {
    if (fields.length === 0) return
    const marks = getValues('marks')
    if (marks === String(total)) return
    if (marks !== made.current) setBefore(marks)
    made.current = String(total)
    setValue('marks', String(total), { shouldDirty: true, shouldValidate: formState.isSubmitted })
  }, [fields.length, total, getValues, setValue, formState.isSubmitted])

  /** Its successor gets the focus; without one, the button. */
  function removeCriterion(at: number) {
    flushSync(() => remove(at))
    if (fields.length > 1) setFocus(`rubric.criteria.${Math.min(at, fields.length - 2)}.title`)
    else addButton.current?.focus()
  }

  return (
    <fieldset className="grid min-w-0 gap-5">
      <legend className="font-semibold">{t`Rubric`}</legend>
      <p className="text-sm text-soft">
        <Trans>
          Optional: what to look at, and what it is worth. Reviewers choose one level of each criterion; the
          mark is their sum.
        </Trans>
      </p>
      <SavedRubrics circle={circle} onUse={(criteria) => replace(criteria.map(asTyped))} />
      {fields.map(({ id }, at) => (
        <CriterionFields key={id} form={form} at={at} onRemove={() => removeCriterion(at)} />
      ))}
      {error && <p className="text-sm font-semibold text-red">{error}</p>}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        {fields.length < mostCriteria && (
          <Button ref={addButton} variant="quiet" size="sm" onClick={() => append(newCriterion())}>
            {t`Add a criterion`}
          </Button>
        )}
        {fields.length > 0 && (
          <SaveRubric circle={circle} criteria={() => rubricOf(getValues('rubric')).criteria} />
        )}
        <div role="status" className="tabular-nums">
          {fields.length > 0 && (
            <p className="font-semibold">
              <Trans>
                Total: <span className="font-display text-xl">{total}</span> marks
              </Trans>
            </p>
          )}
          {fields.length > 0 && before && (
            <p className="text-sm text-soft">{t`Marks now match the rubric: ${before} became ${total}.`}</p>
          )}
        </div>
      </div>
    </fieldset>
  )
}
