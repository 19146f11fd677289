import { expect, test } from 'vitest'
import { turnText, type Turn } from './your-turn'

const by = '2026-11-28T12:00:00Z'

test.each<[string, Turn]>([
  ['Your turn: review 3 submissions by 2026/11/28. 0 of 3 given.', { given: 0, owed: 3, available: 3, by }],
  ['Your turn: review 1 submission by 2026/11/28. 2 of 3 given.', { given: 2, owed: 1, available: 2, by }],
  [
    'Your turn: review 1 submission by 2026/11/28. 2 of 3 given. One is reserved for you until 2026/11/27.',
    { given: 2, owed: 1, available: 2, by, heldUntil: '2026-11-27T12:00:00Z' },
  ],
  ['You have given your reviews, 2 in all. No more work to review.', { given: 2, owed: 0, available: 0, by }],
  [
    'You have given your reviews, 3 in all. There is work for you to review.',
    { given: 3, owed: 0, available: 1, by },
  ],
  ['There is work for you to review.', { given: 0, owed: 0, available: 2 }],
  ['', { given: 0, owed: 0, available: 0, by }],
])('%s', (text, turn) => {
  expect(turnText(turn)).toBe(text)
})
