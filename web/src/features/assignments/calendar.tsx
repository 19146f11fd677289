import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { DayPicker } from 'react-day-picker'
import { Button, DialogActions } from '@/components/ui'
import { dayOfDate, formatDay } from '@/lib/dates'
import { firstWeekday } from '@/lib/first-weekday'
import { once } from '@/lib/once'
import './calendar.css'

const weekday = once(() => new Intl.DateTimeFormat('en', { weekday: 'long' }))

interface CalendarProps {
  selected: Date | undefined
  onPick: (day: string) => void
  onClose: () => void
}

/** A month at a time, from today on. Loaded when it is first opened. */
export default function Calendar({ selected, onPick, onClose }: CalendarProps) {
  const [today] = useState(() => new Date())
  return (
    <>
      <DayPicker
        mode="single"
        dir={getComputedStyle(document.documentElement).direction}
        required
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- in a dialog, focus has to go somewhere inside
        autoFocus
        selected={selected}
        defaultMonth={selected ?? today}
        weekStartsOn={firstWeekday(navigator.language)}
        startMonth={today}
        disabled={{ before: today }}
        onSelect={(date) => onPick(formatDay(dayOfDate(date)))}
        labels={{
          labelPrevious: () => t`Go to the Previous Month`,
          labelNext: () => t`Go to the Next Month`,
          labelDayButton: (date) =>
            `${date.getDate()}, ${weekday().format(date)}, ${formatDay(dayOfDate(date))}`,
        }}
      />
      <DialogActions>
        <Button variant="quiet" onClick={onClose}>
          {t`Cancel`}
        </Button>
      </DialogActions>
    </>
  )
}
