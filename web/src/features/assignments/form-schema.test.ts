import { describe, expect, test } from 'vitest'
import { endOfDay } from '@/lib/dates'
import type { Assignment } from '@/entities/assignment/queries'
import { counted, dueTime, fetchAssignmentSchema, inputOf, isPastDay, stepDay, valuesOf } from './form-schema'

const assignmentSchema = await fetchAssignmentSchema()

const good = {
  title: ' Read chapter two ',
  description: 'Then say what you think.',
  marks: '10',
  thumbnail: 'https://example.org/a.png',
  level: 'hard',
  dueDate: '2026/12/1',
  reviewsNeeded: '1',
  markBy: 'model',
  lateLinks: 'no',
  reviewsOwed: '',
  reviewDueDate: '',
  rubric: { criteria: [] },
}

const assignment: Assignment = {
  _id: 'a1',
  title: 'Read chapter two',
  description: 'Then say what you think.',
  format: 'plain',
  marks: 10,
  thumbnail: 'https://example.org/a.png',
  level: 'hard',
  dueDate: '2026-12-01T23:59:59+14:00',
  circleId: null,
  circleName: null,
  creatorEmail: 'ada@example.org',
  creatorName: 'Ada',
  createdAt: '2026-11-01T10:00:00Z',
  updatedAt: '2026-11-01T10:00:00Z',
}

test('an assignment is due at the end of the day here; an unchanged due date keeps its own time', () => {
  const here = `23:59, ${new Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll('_', ' ')}`
  expect(dueTime('')).toBe(here)
  expect(dueTime('2026/12/01')).toBe(here)
  expect(dueTime('2026/12/01', assignment)).toBe('23:59, UTC+14:00')
  expect(dueTime('2026/12/02', assignment)).toBe(here)
  expect(dueTime('2026/12/01', { ...assignment, dueDate: '2026-12-01T18:30:00Z' })).toBe('18:30, UTC')
  const day = { year: 2026, month: 12, day: 1 }
  expect(dueTime('2026/12/01', { ...assignment, dueDate: endOfDay(day) })).toBe(here)
})

describe('the form of an assignment', () => {
  test('takes what the API takes', () => {
    const parsed = assignmentSchema.parse(good)
    expect(parsed.title).toBe('Read chapter two')
    expect(inputOf(parsed).marks).toBe(10)
    expect(inputOf(parsed).dueDate).toMatch(/^2026-12-01T23:59:59/)
  })

  test.each([
    ['title', ' '],
    ['title', 'x'.repeat(201)],
    ['description', ''],
    ['marks', ''],
    ['marks', '0'],
    ['marks', '1001'],
    ['marks', '10.5'],
    ['marks', '1e2'],
    ['thumbnail', 'a.png'],
    ['dueDate', '2026/2/30'],
    ['level', 'expert'],
    ['reviewsNeeded', '6'],
    ['markBy', 'mode'],
    ['reviewsOwed', '0'],
    ['reviewsOwed', '21'],
    ['reviewsOwed', '2.5'],
    ['reviewDueDate', 'soon'],
  ])('%s %j is refused', (field, value) => {
    const { error } = assignmentSchema.safeParse({ ...good, [field]: value })
    expect(error?.issues.map(({ path }) => path[0])).toEqual([field])
  })

  test('an empty form is refused field by field', () => {
    const { error } = assignmentSchema.safeParse({
      title: '',
      description: '',
      marks: '',
      thumbnail: '',
      level: 'easy',
      dueDate: '',
      reviewsNeeded: '1',
      markBy: 'model',
      lateLinks: 'no',
      reviewsOwed: '',
      reviewDueDate: '',
      rubric: { criteria: [] },
    })
    expect(error?.issues.map(({ path }) => path[0])).toEqual([
      'title',
      'description',
      'marks',
      'thumbnail',
      'dueDate',
    ])
  })

  test('a due date that was not touched goes back to the letter', () => {
    expect(inputOf(valuesOf(assignment), assignment).dueDate).toBe(assignment.dueDate)
    expect(inputOf({ ...valuesOf(assignment), dueDate: '2026/12/02' }, assignment).dueDate).not.toBe(
      assignment.dueDate,
    )
  })

  test('how many reviews are needed is sent where it changes', () => {
    const parsed = assignmentSchema.parse(good)
    expect(inputOf(parsed)).not.toHaveProperty('reviewsNeeded')
    expect(inputOf({ ...parsed, reviewsNeeded: '3' }).reviewsNeeded).toBe(3)
    const reviewed = { ...assignment, reviewsNeeded: 3 }
    expect(inputOf(valuesOf(reviewed), reviewed)).not.toHaveProperty('reviewsNeeded')
    expect(inputOf({ ...valuesOf(reviewed), reviewsNeeded: '1' }, reviewed).reviewsNeeded).toBe(1)
  })

  test('the way to the mark is sent only if it changes, and needs several reviews', () => {
    const reviewed: Assignment = { ...assignment, reviewsNeeded: 3, markBy: 'median' }
    const values = valuesOf(reviewed)
    expect(inputOf(values, reviewed)).not.toHaveProperty('markBy')
    expect(inputOf({ ...values, markBy: 'model' }, reviewed).markBy).toBe('model')
    expect(counted({ ...values, reviewsNeeded: '1' }).markBy).toBe('model')
    expect(counted({ ...values, markBy: undefined as never }).markBy).toBe('model')
  })

  test('a past day is refused, unless it is the one the assignment has', () => {
    const old = { ...assignment, dueDate: '2020-01-01T23:59:59Z' }
    expect(isPastDay('2020/01/01')).toBe(true)
    expect(isPastDay('2020/01/01', old)).toBe(false)
    expect(isPastDay('2020/01/02', old)).toBe(true)
    expect(isPastDay(stepDay('', 1))).toBe(false)
  })

  test('the arrow keys step from what is typed', () => {
    expect(stepDay('2199/12/31', 1)).toBe('2200/01/01')
    expect(stepDay('2199/3/1', -1)).toBe('2199/02/28')
  })

  test('the arrow keys do not walk into the past', () => {
    const today = stepDay('', 1)
    expect(stepDay(today, -1)).toBe(today)
    expect(stepDay('2020/01/01', 1)).toBe(today)
  })
})
