import { describe, expect, test } from 'vitest'
import { failed, reduce, opened, type Attempt, type PopupEvent, type Outcome } from './attempt'

const own = { id: 'mine', origin: 'https://study.example' }

/** Applies events in turn; returns the attempt's final state and everything reported to the page. */
function after(...events: PopupEvent[]): { attempt: Attempt; told: Outcome[] } {
  let attempt = opened
  const told: Outcome[] = []
  for (const event of events) {
    const step = reduce(attempt, event, own)
    attempt = step.attempt
    if (step.outcome) told.push(step.outcome)
  }
  return { attempt, told }
}

const poll = (now: number, closed: boolean, focused = true): PopupEvent => ({
  what: 'poll',
  now,
  closed,
  focused,
})
const message = (data: unknown, origin = own.origin): PopupEvent => ({ what: 'message', origin, data })
const done = message({ attempt: 'mine', status: 'signed-in', code: '', message: '', ticket: '' })
const closedByUser = failed('auth/popup-closed-by-user')

test('an open window tells nothing', () => {
  expect(after(poll(0, false), poll(60_000, false, false))).toEqual({ attempt: opened, told: [] })
})

test('a closed window is noticed within a second, and said once', () => {
  expect(after(poll(0, true), poll(250, true), poll(500, true)).told).toEqual([])
  expect(after(poll(0, true), poll(750, true), poll(1000, true), poll(9000, true)).told).toEqual([
    closedByUser,
  ])
})

test('the result may come in just after the window has gone', () => {
  expect(after(poll(0, true), poll(250, true), done, poll(2000, true)).told).toEqual([
    { status: 'signed-in' },
  ])
})

test('a window that seems closed is open while this page is in the background', () => {
  const cut = after(poll(0, true, false), poll(5000, true, false))
  expect(cut).toEqual({ attempt: opened, told: [] })
  // Back here for a moment, then in the window again: the time starts again.
  const moments = after(poll(0, true), poll(500, true, false), poll(750, true), poll(1000, true))
  expect(moments.told).toEqual([])
})

test('a result after the window was reported closed still counts', () => {
  const { attempt, told } = after(poll(0, true), poll(750, true), done)
  expect(attempt.at).toBe('over')
  expect(told).toEqual([closedByUser, { status: 'signed-in' }])
})

test('events after the end do not affect this attempt', () => {
  expect(after(done, done, poll(0, true), poll(5000, true), { what: 'superseded' }).told).toHaveLength(1)
})

test('an attempt gives way to a newer one', () => {
  const { attempt, told } = after({ what: 'superseded' }, done)
  expect(attempt.at).toBe('over')
  expect(told).toEqual([failed('auth/cancelled-popup-request')])
  expect(after(poll(0, true), poll(750, true), { what: 'superseded' }).told).toEqual([closedByUser])
})

describe('a message is ignored', () => {
  const cases: [string, PopupEvent][] = [
    ['from another origin', message({ attempt: 'mine', status: 'signed-in' }, 'https://evil.example')],
    ['from an opaque origin', message({ attempt: 'mine', status: 'signed-in' }, 'null')],
    ['of another attempt', message({ attempt: 'theirs', status: 'signed-in' })],
    ['without an attempt', message({ status: 'signed-in' })],
    ['with an unknown status', message({ attempt: 'mine', status: 'maybe' })],
    ['that asks to confirm nothing', message({ attempt: 'mine', status: 'confirm', ticket: '' })],
    ['of an error without a code', message({ attempt: 'mine', status: 'error' })],
    ['that is text', message('signed-in')],
    ['that is null', message(null)],
  ]
  for (const [name, event] of cases) {
    test(name, () => expect(after(event)).toEqual({ attempt: opened, told: [] }))
  }
})

test("the server's words reach the page; a code without words gets some", () => {
  const error = { attempt: 'mine', status: 'error', code: 'auth/cancelled' }
  expect(after(message({ ...error, message: 'You said no.' })).told).toEqual([
    { status: 'error', code: 'auth/cancelled', message: 'You said no.' },
  ])
  expect(after(message({ ...error, message: '' })).told).toEqual([
    { status: 'error', code: 'auth/cancelled', message: 'Signing in did not work. Please try again.' },
  ])
})

test('a question reaches the page with its ticket', () => {
  expect(after(message({ attempt: 'mine', status: 'confirm', ticket: 't' })).told).toEqual([
    { status: 'confirm', ticket: 't' },
  ])
})
