import { useWatch, type UseFormReturn } from 'react-hook-form'
import { Select, lazyView } from '@/components/ui'
import type { AssignmentFormValues } from './form-schema'
import type { Assignment } from './queries'

const RubricEditor = lazyView('Loading the rubric', () => import('./rubric-editor'))
const FixedReviewing = lazyView('Loading how it is reviewed', () => import('./fixed-reviewing'))

interface ReviewingFieldsProps {
  form: UseFormReturn<AssignmentFormValues>
  /** The saved assignment; undefined for a new one. */
  assignment: Assignment | undefined
  /** It has a submission: its reviewing is fixed. */
  isTaken: boolean
}

/** By how many people a submission is reviewed and, from two on, by which criteria. */
export function ReviewingFields({ form, assignment, isTaken }: ReviewingFieldsProps) {
  const { register, control, formState } = form
  const reviewsNeeded = useWatch({ control, name: 'reviewsNeeded' }) ?? '1'
  if (isTaken && assignment) return <FixedReviewing assignment={assignment} />
  return (
    <>
      <Select
        label="Reviews needed"
        hint="With two or more, several people review each submission without knowing whose it is, and its mark is made of what they give. They can then have a rubric."
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
          <RubricEditor form={form} />
        </div>
      )}
    </>
  )
}
