import { useSyncExternalStore } from 'react'
import { dayOfDate, formatDay } from './dates'
import { prerenderDay } from './prerender-day'

const never = () => () => undefined
const here = () => formatDay(dayOfDate(new Date()))

/**
 * Today by the reader's clock, as text. During hydration the day that the first HTML was made on, which may be the
 * one before or after.
 */
export function useToday(): string {
  return useSyncExternalStore(never, here, prerenderDay)
}
