import { useSyncExternalStore } from 'react'
import { dayOfDate, formatDay, parseDay, type CalendarDay } from './dates'
import { drawnDay } from './drawn-day'

const never = () => () => undefined
const here = () => formatDay(dayOfDate(new Date()))

/**
 * Today by the reader's clock. While the first HTML is met, the day it was drawn for, which may be the one
 * before or after; null where none is known, as in what is drawn at build.
 */
export function useToday(): CalendarDay | null {
  return parseDay(useSyncExternalStore(never, here, drawnDay))
}
