import { calendarDayOf, dateOfDay, dayOfDate, daysBetween, formatDay, type CalendarDay } from '@/lib/dates'
import { once } from '@/lib/once'
import { useToday } from '@/lib/today'
import { useHydrated } from '@/lib/use-hydrated'

const weekday = once(() => new Intl.DateTimeFormat('en', { weekday: 'long' }))
const clock = once(
  () =>
    new Intl.DateTimeFormat('en', {
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZoneName: 'short',
    }),
)
const relative = once(() => new Intl.RelativeTimeFormat('en', { numeric: 'auto' }))

/**
 * The day an instant was meant for, yyyy/MM/dd, the same for everyone. The tooltip has its weekday and, where
 * the reader's clock shows another time, that one. A near day also says how near.
 */
export function DueDate({ instant }: { instant: string }) {
  const today = useToday()
  // The first HTML does not know the reader's clock.
  const hydrated = useHydrated()
  const day = calendarDayOf(instant)
  if (!day) return null
  return (
    <span className="whitespace-nowrap">
      <time dateTime={instant} title={hydrated ? tooltipOf(instant, day) : undefined}>
        {formatDay(day)}
      </time>
      {today && <Nearness days={daysBetween(today, day)} />}
    </span>
  )
}

function tooltipOf(instant: string, day: CalendarDay): string {
  const local = new Date(instant)
  const here = dayOfDate(local)
  const name = weekday().format(dateOfDay(day))
  return formatDay(here) === formatDay(day) && local.toTimeString().startsWith(instant.slice(11, 16))
    ? name
    : `${name} (${formatDay(here)}, ${clock().format(local)} for you)`
}

/** 'tomorrow', '3 days ago': how near a day is, within a week. */
export function Nearness({ days }: { days: number }) {
  if (Math.abs(days) > 7) return null
  return <span className="ms-2 text-soft">{relative().format(days, 'day')}</span>
}
