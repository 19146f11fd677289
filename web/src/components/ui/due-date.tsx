import { t } from '@lingui/core/macro'
import { calendarDayOf, dateOfDay, dayOfDate, daysBetween, formatDay } from '@/lib/dates'
import { once } from '@/lib/once'

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

/** The calendar day an instant was written in, yyyy/MM/dd; empty where that is none. */
function day(instant: string): string {
  const written = calendarDayOf(instant)
  return written ? formatDay(written) : ''
}

const nearDays = 7

/** How near an instant's day is: 'tomorrow', '3 days ago'; empty for one more than a week away. */
function nearness(instant: string): string {
  const to = calendarDayOf(instant)
  if (!to) return ''
  const days = daysBetween(dayOfDate(new Date()), to)
  return Math.abs(days) > nearDays ? '' : relative().format(days, 'day')
}

/**
 * The day an instant was meant for, yyyy/MM/dd, the same for everyone. The tooltip has its weekday and, where
 * the reader's clock shows another time, that one. A near day also says how near: 'tomorrow', '3 days ago'.
 */
export function DueDate({ instant }: { instant: string }) {
  const near = nearness(instant)
  return (
    <span className="inline-flex flex-wrap gap-x-2 whitespace-nowrap">
      <time dateTime={instant} title={tooltipOf(instant)}>
        {day(instant)}
      </time>
      {near && <span className="text-soft">{near}</span>}
    </span>
  )
}

function tooltipOf(instant: string): string | undefined {
  const meant = calendarDayOf(instant)
  if (!meant) return undefined
  const local = new Date(instant)
  const here = formatDay(dayOfDate(local))
  const name = weekday().format(dateOfDay(meant))
  return here === formatDay(meant) && local.toTimeString().startsWith(instant.slice(11, 16))
    ? name
    : t`${name} (${here}, ${{ time: clock().format(local) }} for you)`
}
