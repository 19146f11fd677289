import { useState, type KeyboardEvent } from 'react'
import { useController, type Control } from 'react-hook-form'
import { CalendarIcon, Dialog, ErrorState, Field, Loading, controlClass } from '@/components/ui'
import { dateOfDay, formatDay, parseDay } from '@/lib/dates'
import { lazyPart, usePart } from '@/lib/lazy-part'
import { explain } from '@/lib/problem'
import { stepDay, type AssignmentFormValues } from './form-schema'

const calendar = lazyPart(() => import('./calendar'))

/** A day, typed as yyyy/MM/dd, stepped with the arrow keys, or picked from a calendar. */
export function DueDateField({ control }: { control: Control<AssignmentFormValues> }) {
  const { field, fieldState } = useController({ control, name: 'dueDate' })
  const [picking, setPicking] = useState(false)
  const code = usePart(calendar)
  const day = parseDay(field.value)

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    field.onChange(stepDay(field.value, step))
  }

  return (
    <Field label="Due Date" hint="yyyy/MM/dd" error={fieldState.error?.message}>
      {(wiring) => (
        <div className="flex gap-2">
          <input
            {...wiring}
            type="text"
            inputMode="numeric"
            autoComplete="off"
            ref={field.ref}
            name={field.name}
            value={field.value}
            onChange={field.onChange}
            onKeyDown={onKeyDown}
            onBlur={() => {
              if (day) field.onChange(formatDay(day))
              field.onBlur()
            }}
            className={controlClass}
          />
          <button
            type="button"
            aria-label="Open the calendar"
            {...calendar.opener}
            onClick={() => {
              setPicking(true)
              void calendar.load()
            }}
            className="grid w-12 shrink-0 place-items-center rounded-control border border-edge bg-raised hover:border-ink"
          >
            <CalendarIcon />
          </button>
          {picking && (
            <Dialog title="Pick the due date" onClose={() => setPicking(false)} className="w-fit!">
              {code.status === 'pending' && <Loading />}
              {code.status === 'failed' && (
                <ErrorState message={explain(code.error)} onRetry={() => void calendar.retry()} />
              )}
              {code.status === 'ready' && (
                <code.part.default
                  selected={day ? dateOfDay(day) : undefined}
                  onPick={(date) => {
                    field.onChange(date)
                    setPicking(false)
                  }}
                  onClose={() => setPicking(false)}
                />
              )}
            </Dialog>
          )}
        </div>
      )}
    </Field>
  )
}
