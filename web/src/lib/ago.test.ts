import { expect, test } from 'vitest'
import { ago } from './ago'

const now = Date.parse('2026-11-21T12:00:00Z')

test.each([
  ['2026-11-21T11:59:40Z', 'just now'],
  ['2026-11-21T11:59:00Z', '1 minute ago'],
  ['2026-11-21T09:30:00Z', '2 hours ago'],
  ['2026-11-20T11:00:00Z', 'yesterday'],
  ['2026-11-11T11:00:00Z', '10 days ago'],
  // Only the day is known.
  ['2026-11-21T00:00:00Z', 'today'],
  ['2026-11-20T00:00:00Z', 'yesterday'],
  ['2026-11-18T00:00:00Z', '3 days ago'],
  // A clock that runs behind the server's.
  ['2026-11-22T00:00:00Z', 'today'],
  ['2026-11-21T12:00:30Z', 'just now'],
])('%s is %s', (instant, words) => expect(ago(instant, now)).toBe(words))
