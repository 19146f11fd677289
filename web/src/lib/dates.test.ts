import { describe, expect, test, vi } from 'vitest'
import { addDays, calendarDayOf, daysBetween, endOfDay, formatDay, parseDay } from './dates'

describe('a typed day', () => {
  test.each([
    ['2026/12/1', '2026/12/01'],
    [' 2026/12/01 ', '2026/12/01'],
    ['2026-12-01', '2026/12/01'],
    ['2026.2.28', '2026/02/28'],
    ['2028/2/29', '2028/02/29'],
  ])('%s is read as %s', (typed, written) => {
    const day = parseDay(typed)
    expect(day && formatDay(day)).toBe(written)
  })

  test.each(['2026/2/29', '2026/13/1', '2026/0/1', '2026/1/32', '1/12/2026', '2026/12', 'tomorrow', ''])(
    '%s is not a day',
    (typed) => expect(parseDay(typed)).toBeNull(),
  )
})

test('an instant keeps the day of its own offset', () => {
  expect(calendarDayOf('2026-12-01T23:59:59+14:00')).toEqual({ year: 2026, month: 12, day: 1 })
  expect(calendarDayOf('2026-12-01T00:30:00-11:00')).toEqual({ year: 2026, month: 12, day: 1 })
  expect(calendarDayOf('soon')).toBeNull()
})

test('the end of a day is its last second here, with the offset of that day', () => {
  const day = { year: 2026, month: 7, day: 4 }
  const instant = endOfDay(day)
  expect(instant).toMatch(/^2026-07-04T23:59:59[+-]\d\d:\d\d$/)
  expect(new Date(instant).getTime()).toBe(new Date(2026, 6, 4, 23, 59, 59).getTime())
  expect(calendarDayOf(instant)).toEqual(day)
})

test.each([
  [0, '+00:00'],
  [-345, '+05:45'],
  [-840, '+14:00'],
  [210, '-03:30'],
  [660, '-11:00'],
])('where clocks differ from UTC by -(%i) minutes, it ends with %s', (minutes, offset) => {
  vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValueOnce(minutes)
  expect(endOfDay({ year: 2026, month: 7, day: 4 })).toBe(`2026-07-04T23:59:59${offset}`)
})

test('days are counted over months, years and changes of the clock', () => {
  const newYearsEve = { year: 2026, month: 12, day: 31 }
  expect(addDays(newYearsEve, 1)).toEqual({ year: 2027, month: 1, day: 1 })
  expect(addDays({ year: 2028, month: 3, day: 1 }, -1)).toEqual({ year: 2028, month: 2, day: 29 })
  expect(daysBetween({ year: 2026, month: 3, day: 1 }, { year: 2026, month: 4, day: 1 })).toBe(31)
  expect(daysBetween(newYearsEve, { year: 2026, month: 12, day: 24 })).toBe(-7)
})
