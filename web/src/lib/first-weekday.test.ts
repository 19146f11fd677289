import { expect, test } from 'vitest'
import { firstWeekday } from './first-weekday'

test.each([
  ['en-GB', 1],
  ['en-US', 0],
  ['de', 1],
  ['ar-EG', 6],
])('weeks of %s start on day %i', (language, first) => expect(firstWeekday(language)).toBe(first))
