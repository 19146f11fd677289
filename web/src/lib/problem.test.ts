import { expect, test } from 'vitest'
import { Problem, explain, problemFrom } from './problem'

test.each([
  ['Limit reached.', 1, 'Limit reached. Try again in 1 second.'],
  ['Limit reached', 89, 'Limit reached. Try again in 89 seconds.'],
  ['Limit reached.', 90, 'Limit reached. Try again in 2 minutes.'],
  ['Limit reached.', 120, 'Limit reached. Try again in 2 minutes.'],
  ['Limit reached.', 3_601, 'Limit reached. Try again in 61 minutes.'],
  ['Please try again in a moment.', 5, 'Please try again in a moment.'],
  ['No.', null, 'No.'],
])('%s after %s seconds: %s', (message, retryAfter, said) =>
  expect(explain(new Problem(message, { status: 429, code: 'rate-limited', retryAfter }))).toBe(said),
)

test('a problem says what the server says, or something that fits the status', () => {
  const of = (status: number, body: unknown, headers = {}) =>
    problemFrom(new Response(null, { status, headers }), body)
  expect(of(409, { title: 'Conflict', detail: 'Too late.', code: 'changed' })).toMatchObject({
    message: 'Too late.',
    status: 409,
    code: 'changed',
    retryAfter: null,
  })
  expect(of(503, null, { 'Retry-After': '7' })).toMatchObject({ code: 'unknown', retryAfter: 7 })
  expect(of(503, 'x').message).toMatch(/^The server could not/)
  expect(of(400, {}).message).toBe('The server did not accept this.')
  expect(of(422, { errors: [{ location: 'body.title', message: 'Too long.' }, {}] }).fields).toEqual([
    { location: 'body.title', message: 'Too long.' },
    { location: '', message: '' },
  ])
  expect(explain(new TypeError('x is not a function'))).toBe(
    'Something went wrong in this page. Please try again.',
  )
})

test('a text of this app is written when it is shown, by when the page has its texts', () => {
  let texts = 'none yet'
  const problem = new Problem(() => texts, { status: 0, code: 'away' })
  texts = 'No answer.'
  expect(explain(problem)).toBe('No answer.')
})
