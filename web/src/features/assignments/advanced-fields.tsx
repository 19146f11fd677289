import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { Select, TextInput } from '@/components/ui'
import type { AssignmentFormValues } from './form-schema'

interface AdvancedFieldsProps {
  form: UseFormReturn<AssignmentFormValues>
  /** Its reviewing can no longer change. */
  isFixed: boolean
  /** The field of the review due date. */
  reviewDue: ReactNode
}

/** How late changes count and, from two reviews on, how the mark is made and what each submitter owes. */
export default function AdvancedFields({ form, isFixed, reviewDue }: AdvancedFieldsProps) {
  const { register, control, formState } = form
  const { errors } = formState
  const isReviewed = (useWatch({ control, name: 'reviewsNeeded' }) ?? '1') !== '1'
  return (
    <>
      <Select
        label={t`Changed links`}
        hint={t`What a link counts as that its submitter changes after the due date.`}
        {...register('lateLinks')}
        error={errors.lateLinks?.message}
      >
        <option value="no">{t`Shown with the time of the change`}</option>
        <option value="yes">{t`Late`}</option>
      </Select>
      {isReviewed && !isFixed && (
        <Select
          label={t`Mark by`}
          hint={
            <Trans>
              The model corrects each review for how strict its reviewer is, and gives less weight to
              reviewers whose marks do not follow the work. The average counts all reviews alike, careless
              ones too. The median is the review in the middle, or the average of the two there.
            </Trans>
          }
          {...register('markBy')}
          error={errors.markBy?.message}
        >
          <option value="model">{t`Model (recommended)`}</option>
          <option value="average">{t`Average`}</option>
          <option value="median">{t`Median`}</option>
        </Select>
      )}
      {isReviewed && (
        <>
          <TextInput
            label={t`Reviews owed`}
            hint={t`By each submitter, 1 to 20. Leave it empty for as many as each submission gets.`}
            inputMode="numeric"
            {...register('reviewsOwed')}
            error={errors.reviewsOwed?.message}
          />
          {reviewDue}
        </>
      )}
    </>
  )
}
