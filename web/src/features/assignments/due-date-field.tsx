import { t } from '@lingui/core/macro'
import { useState, type KeyboardEvent } from 'react'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { CalendarIcon, Dialog, Field, controlClass, lazyView } from '@/components/ui'
import { dateOfDay, formatDay, parseDay } from '@/lib/dates'
import { useHydrated } from '@/lib/use-hydrated'
import type { Assignment } from '@/entities/assignment/queries'
import { dueTime, stepDay, type AssignmentFormValues } from './form-schema'

const Calendar = lazyView(() => import('./calendar'), { label: () => t`Loading the calendar` })

interface DueDateFieldProps {
  form: UseFormReturn<AssignmentFormValues>
  name?: 'dueDate' | 'reviewDueDate'
  /** The saved assignment; undefined for a new one. */
  before?: Assignment | undefined
}

const texts = (time: string) => ({
  dueDate: {
    label: t`Due Date`,
    hint: t`yyyy/MM/dd. Due at ${time}.`,
    pick: t`Pick the due date`,
    open: t`Open the calendar`,
  },
  reviewDueDate: {
    label: t`Review due date`,
    hint: t`yyyy/MM/dd, after the due date. Submitters give their reviews by then. Leave it empty for no due date.`,
    pick: t`Pick the review due date`,
    open: t`Open the calendar of the review due date`,
  },
})

/** A day, typed as yyyy/MM/dd, stepped with the arrow keys, or picked from a calendar. */
export function DueDateField({ form, name = 'dueDate', before }: DueDateFieldProps) {
  const { register, control, getValues, setValue, formState } = form
  const dueDate = useWatch({ control, name: 'dueDate' }) ?? ''
  // The server, which draws the first HTML, does not know the user's time zone.
  const time = useHydrated() ? dueTime(dueDate, before) : '23:59'
  const { label, hint, pick, open } = texts(time)[name]
  const [picking, setPicking] = useState(false)
  const field = register(name, {
    onBlur: () => {
      const day = parseDay(typed())
      if (day) choose(formatDay(day))
    },
  })
  const typed = () => getValues(name) ?? ''
  const choose = (day: string) =>
    setValue(name, day, { shouldDirty: true, shouldValidate: formState.isSubmitted })

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    choose(stepDay(typed(), step))
  }

  return (
    <Field label={label} hint={hint} error={formState.errors[name]?.message}>
      {(wiring) => (
        <div className="flex gap-2">
          <input
            {...wiring}
            type="text"
            inputMode="numeric"
            autoComplete="off"
            {...field}
            onKeyDown={onKeyDown}
            className={controlClass}
          />
          <button
            type="button"
            aria-label={open}
            {...Calendar.opener}
            onClick={() => setPicking(true)}
            className="grid w-12 shrink-0 place-items-center rounded-control border border-edge bg-raised hover:border-ink"
          >
            <CalendarIcon />
          </button>
          {picking && (
            <Dialog title={pick} onClose={() => setPicking(false)} className="w-fit!">
              <Calendar
                selected={selectedDate(typed())}
                onPick={(date) => {
                  choose(date)
                  setPicking(false)
                }}
                onClose={() => setPicking(false)}
              />
            </Dialog>
          )}
        </div>
      )}
    </Field>
  )
}

function selectedDate(typed: string): Date | undefined {
  const day = parseDay(typed)
  return day ? dateOfDay(day) : undefined
}
