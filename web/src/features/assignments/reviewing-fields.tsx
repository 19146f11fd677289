import { useEffect } from 'react'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { ErrorState, Loading, Select } from '@/components/ui'
import { lazyPart, usePart } from '@/lib/lazy-part'
import { explain } from '@/lib/problem'
import type { AssignmentFormValues } from './form-schema'
import type { Assignment } from './queries'
import { RubricList } from './rubric-list'

const editorCode = lazyPart(() => import('./rubric-editor'))

interface ReviewingFieldsProps {
  form: UseFormReturn<AssignmentFormValues>
  /** As it is saved; none for a new one. */
  assignment: Assignment | undefined
  /** Somebody has handed in: it stays as it is. */
  isTaken: boolean
}

/** By how many people a submission is reviewed and, from two on, by which criteria. */
export function ReviewingFields({ form, assignment, isTaken }: ReviewingFieldsProps) {
  const { register, control, formState } = form
  const reviewsNeeded = useWatch({ control, name: 'reviewsNeeded' }) ?? '1'
  if (isTaken && assignment) return <Fixed assignment={assignment} />
  return (
    <>
      <Select
        label="Reviews needed"
        hint="With two or more, several people review each submission without knowing whose it is, and its mark is made of what they give."
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
          <Rubric form={form} needed={assignment?.rubric !== undefined} />
        </div>
      )}
    </>
  )
}

/** Its code is fetched for those alone who ask for several reviews. */
function Rubric(props: { form: UseFormReturn<AssignmentFormValues>; needed: boolean }) {
  const state = usePart(editorCode)
  useEffect(() => void editorCode.load(), [])
  if (state.status === 'ready') return <state.part.default {...props} />
  if (state.status === 'pending') return <Loading label="Loading the rubric" />
  return <ErrorState message={explain(state.error)} onRetry={() => void editorCode.retry()} />
}

function Fixed({ assignment: { reviewsNeeded = 1, rubric } }: { assignment: Assignment }) {
  return (
    <>
      <div className="grid gap-1.5">
        <p className="text-sm font-semibold">Reviews needed</p>
        <p className="-mt-1 text-sm text-soft">
          Somebody has handed in: how submissions are reviewed stays as it is.
        </p>
        <p className="flex min-h-11 items-center font-display text-xl font-bold">{reviewsNeeded}</p>
      </div>
      {rubric && (
        <section aria-label="Rubric" className="grid gap-3 sm:col-span-2">
          <p className="text-sm font-semibold">Rubric</p>
          <RubricList rubric={rubric} />
        </section>
      )}
    </>
  )
}
