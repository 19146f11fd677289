/** A day of the calendar, free of clock and zone. `month` counts from 1. */
export interface CalendarDay {
  year: number
  month: number
  day: number
}

const dayMs = 86_400_000

/** The calendar day an instant was written in: its own offset's day, which is the one its author picked. */
export function calendarDayOf(instant: string): CalendarDay | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})/.exec(instant)
  return match ? validDay(Number(match[1]), Number(match[2]), Number(match[3])) : null
}

/** Parses a typed day: '2026/12/1', '2026-12-01', '2026.12.1'. Null for a day that does not exist. */
export function parseDay(text: string): CalendarDay | null {
  const match = /^\s*(\d{4})\s*[/.-]\s*(\d{1,2})\s*[/.-]\s*(\d{1,2})\s*$/.exec(text)
  return match ? validDay(Number(match[1]), Number(match[2]), Number(match[3])) : null
}

function validDay(year: number, month: number, day: number): CalendarDay | null {
  const date = new Date(year, month - 1, day)
  const exists = date.getFullYear() === year && date.getMonth() === month - 1 && date.getDate() === day
  return exists ? { year, month, day } : null
}

/** yyyy/MM/dd, the product's one date format. */
export function formatDay({ year, month, day }: CalendarDay): string {
  return [String(year).padStart(4, '0'), two(month), two(day)].join('/')
}

export function dayOfDate(date: Date): CalendarDay {
  return { year: date.getFullYear(), month: date.getMonth() + 1, day: date.getDate() }
}

export function dateOfDay({ year, month, day }: CalendarDay): Date {
  return new Date(year, month - 1, day)
}

export function addDays(day: CalendarDay, count: number): CalendarDay {
  return dayOfDate(new Date(day.year, day.month - 1, day.day + count))
}

/** Whole days from `from` to `to`; daylight saving does not count. */
export function daysBetween(from: CalendarDay, to: CalendarDay): number {
  return Math.round((utc(to) - utc(from)) / dayMs)
}

/** The day's last second in the local time zone, as the API takes a due date. */
export function endOfDay({ year, month, day }: CalendarDay): string {
  const end = new Date(year, month - 1, day, 23, 59, 59)
  const minutes = -end.getTimezoneOffset()
  const sign = minutes < 0 ? '-' : '+'
  const offset = `${sign}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T23:59:59${offset}`
}

function utc({ year, month, day }: CalendarDay): number {
  return Date.UTC(year, month - 1, day)
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
