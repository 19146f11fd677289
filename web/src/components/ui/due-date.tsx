import { useState } from 'react'
import { calendarDayOf, dateOfDay, dayOfDate, daysBetween, formatDay } from '@/lib/dates'

const weekday = new Intl.DateTimeFormat('en', { weekday: 'long' })
const clock = new Intl.DateTimeFormat('en', {
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
})
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/**
 * The day an instant was meant for, yyyy/MM/dd, the same for everyone. The tooltip has its weekday and, where
 * the reader's clock shows another day, their own time. A near day also says how near.
 */
export function DueDate({ instant }: { instant: string }) {
  const [today] = useState(() => dayOfDate(new Date()))
  const day = calendarDayOf(instant)
  if (!day) return null
  const local = new Date(instant)
  const here = dayOfDate(local)
  const tooltip =
    formatDay(here) === formatDay(day)
      ? weekday.format(dateOfDay(day))
      : `${weekday.format(dateOfDay(day))} (${formatDay(here)}, ${clock.format(local)} for you)`
  const away = daysBetween(today, day)
  return (
    <span className="whitespace-nowrap">
      <time dateTime={instant} title={tooltip}>
        {formatDay(day)}
      </time>
      {Math.abs(away) <= 7 && <span className="ms-2 text-soft">{relative.format(away, 'day')}</span>}
    </span>
  )
}
