import { t } from '@lingui/core/macro'
import { useEffect, useEffectEvent, useState } from 'react'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { lazyView } from '@/components/ui'
import { DueDateField } from './due-date-field'
import type { AssignmentFormValues } from './form-schema'

const AdvancedFields = lazyView(() => import('./advanced-fields'), {
  label: () => t`Loading the advanced settings`,
})

const names = ['lateLinks', 'markBy', 'reviewsOwed', 'reviewDueDate'] as const
const usual = { lateLinks: 'no', markBy: 'model', reviewsOwed: '', reviewDueDate: '' }

interface AdvancedProps {
  form: UseFormReturn<AssignmentFormValues>
  /** Its reviewing can no longer change. */
  isFixed: boolean
}

/**
 * What most assignments leave as it is. It opens by itself where one of its fields has a fault or another value than
 * the usual one.
 */
export function Advanced({ form, isFixed }: AdvancedProps) {
  const { control, formState, setFocus } = form
  const { errors, submitCount } = formState
  const values = useWatch({ control, name: names })
  const wrong = names.find((name) => errors[name])
  const isUnusual = names.some((name, at) => (values[at] ?? usual[name]) !== usual[name])
  // Each time that the form is sent with a fault is a new reason to open it, whether or not the user has closed it.
  const reason = wrong ? `fault ${submitCount}` : isUnusual && 'unusual'
  const [openedFor, setOpenedFor] = useState(reason)
  const [isOpen, setOpen] = useState(reason !== false)
  if (reason !== openedFor) {
    setOpenedFor(reason)
    if (reason) setOpen(true)
  }
  // A field could not take the focus while it was hidden.
  const isFirst = wrong !== undefined && Object.keys(errors).every((name) => name in usual)
  const focusFirst = useEffectEvent(() => {
    if (isFirst) setFocus(wrong)
  })
  useEffect(() => focusFirst(), [submitCount])

  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="sm:col-span-2"
    >
      <summary {...AdvancedFields.opener} className="min-h-11 cursor-pointer py-2.5 font-semibold">
        {t`Advanced`}
      </summary>
      <div className="grid items-start gap-6 pt-3 max-sm:gap-5 sm:grid-cols-2">
        {isOpen && (
          <AdvancedFields
            form={form}
            isFixed={isFixed}
            reviewDue={<DueDateField form={form} name="reviewDueDate" />}
          />
        )}
      </div>
    </details>
  )
}
