import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { Select, lazyView } from '@/components/ui'
import { Advanced } from './advanced'
import type { AssignmentFormValues } from './form-schema'
import type { Assignment } from '@/entities/assignment/queries'

const RubricEditor = lazyView(() => import('./rubric-editor'), { label: () => t`Loading the rubric` })
const FixedReviewing = lazyView(() => import('./fixed-reviewing'), {
  label: () => t`Loading how it is reviewed`,
})

interface ReviewingFieldsProps {
  form: UseFormReturn<AssignmentFormValues>
  /** The saved assignment; undefined for a new one. */
  assignment: Assignment | undefined
  /** The circle that a new one is for; empty for none. */
  circle: string
  /** It has a submission: its reviewing is fixed. */
  isTaken: boolean
}

/** By how many people a submission is reviewed and, from two on, by which criteria; then what is rarely changed. */
export function ReviewingFields({ form, assignment, circle, isTaken }: ReviewingFieldsProps) {
  const { register, control, formState } = form
  const reviewsNeeded = useWatch({ control, name: 'reviewsNeeded' }) ?? '1'
  if (isTaken && assignment) {
    return (
      <>
        <FixedReviewing assignment={assignment} />
        <Advanced form={form} isFixed />
      </>
    )
  }
  return (
    <>
      <Select
        label={t`Reviews needed`}
        hint={
          <Trans>
            With two or more, several users review each submission without knowing whose it is, and its mark
            is calculated from their reviews. You can then add a rubric.
          </Trans>
        }
        {...register('reviewsNeeded')}
        error={formState.errors.reviewsNeeded?.message}
      >
        {['1', '2', '3', '4', '5'].map((n) => (
          <option key={n} value={n}>
            {n}
          </option>
        ))}
      </Select>
      {reviewsNeeded !== '1' && (
        <div className="sm:col-span-2">
          <RubricEditor form={form} circle={assignment?.circleId ?? circle} />
        </div>
      )}
      <Advanced form={form} isFixed={false} />
    </>
  )
}
