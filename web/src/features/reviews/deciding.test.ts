import { expect, test } from 'vitest'
import type { Result } from '@/entities/result/queries'
import { decisionName, decisionsOf } from './deciding'

const may = { grade: false, settle: false, reopen: true, setMark: true, known: false, waits: true }
const appealed: Result = {
  _id: 's1',
  submittedBy: null,
  status: 'completed',
  submittedAt: '2026-11-20T10:00:00Z',
  late: false,
  marks: 20,
  givenMark: 15,
  appeal: 'open',
  may,
}

test.each([
  [undefined, ['Keep 15', 'Change mark', 'Two more reviewers']],
  [1, ['Keep 15', 'Change mark', 'One more reviewer']],
  [0, ['Keep 15', 'Change mark']],
])('with %s free reviewers as many are offered', (freeReviewers, offered) => {
  const result = freeReviewers === undefined ? appealed : { ...appealed, freeReviewers }
  expect(decisionsOf(result).map((decision) => decisionName(decision, result))).toEqual(offered)
})
