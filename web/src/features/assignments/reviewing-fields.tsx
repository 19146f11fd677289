import { useWatch, type UseFormReturn } from 'react-hook-form'
import { Select, TextInput, lazyView } from '@/components/ui'
import { DueDateField } from './due-date-field'
import type { AssignmentFormValues } from './form-schema'
import type { Assignment } from '@/entities/assignment/queries'

const MarkAndRubric = lazyView(() => import('./mark-and-rubric'), { label: () => 'Loading the rubric' })
const FixedReviewing = lazyView(() => import('./fixed-reviewing'), {
  label: () => 'Loading how it is reviewed',
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

/** By how many people a submission is reviewed and, from two on, by which criteria and how its mark is made. */
export function ReviewingFields({ form, assignment, circle, isTaken }: ReviewingFieldsProps) {
  const { register, control, formState } = form
  const reviewsNeeded = useWatch({ control, name: 'reviewsNeeded' }) ?? '1'
  const duty = reviewsNeeded !== '1' && <Duty form={form} />
  if (isTaken && assignment) {
    return (
      <>
        <FixedReviewing assignment={assignment} />
        {duty}
      </>
    )
  }
  return (
    <>
      <Select
        label="Reviews needed"
        hint="With two or more, several users review each submission without knowing whose it is, and its mark is calculated from their reviews. You can then add a rubric."
        {...register('reviewsNeeded')}
        error={formState.errors.reviewsNeeded?.message}
      >
        {['1', '2', '3', '4', '5'].map((n) => (
          <option key={n} value={n}>
            {n}
          </option>
        ))}
      </Select>
      {duty}
      {reviewsNeeded !== '1' && <MarkAndRubric form={form} circle={assignment?.circleId ?? circle} />}
    </>
  )
}

/** How many reviews each submitter owes, and until when. */
function Duty({ form }: Pick<ReviewingFieldsProps, 'form'>) {
  const { register, formState } = form
  return (
    <>
      <TextInput
        label="Reviews owed"
        hint="By each submitter, 1 to 20. Leave it empty for as many as each submission gets."
        inputMode="numeric"
        {...register('reviewsOwed')}
        error={formState.errors.reviewsOwed?.message}
      />
      <DueDateField form={form} name="reviewDueDate" />
    </>
  )
}
