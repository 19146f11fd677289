import type { UseFormReturn } from 'react-hook-form'
import { Select } from '@/components/ui'
import type { AssignmentFormValues } from './form-schema'
import { RubricEditor } from './rubric-editor'

interface MarkAndRubricProps {
  form: UseFormReturn<AssignmentFormValues>
  /** The assignment's circle; empty for none. */
  circle: string
}

/** How the mark is made of several reviews, and the criteria they go by. */
export default function MarkAndRubric({ form, circle }: MarkAndRubricProps) {
  const { register, formState } = form
  return (
    <>
      <Select
        label="Mark by"
        hint="The model corrects each review for how strict its reviewer is, and gives less weight to reviewers whose marks do not follow the work. The average counts all reviews alike, careless ones too. The median is the review in the middle, or the average of the two there."
        {...register('markBy')}
        error={formState.errors.markBy?.message}
      >
        <option value="model">Model</option>
        <option value="average">Average</option>
        <option value="median">Median</option>
      </Select>
      <div className="sm:col-span-2">
        <RubricEditor form={form} circle={circle} />
      </div>
    </>
  )
}
