import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isProblem } from '@/lib/problem'
import { followOtherTabs, getSession, signedOut, startSession, userEmail } from '@/lib/session'
import { gate, serve } from '@/test/serve'
import { answer, api, renewSession } from './client'

const ada = { email: 'ada@example.org', displayName: 'Ada', photoURL: '', accessToken: 'old' }

const session = (user: object | null) => http.get('*/api/auth/session', () => HttpResponse.json({ user }))

beforeEach(() => startSession(ada))
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const list = () => answer(api.GET('/api/submissions'))

test('calls carry the access token', async () => {
  serve(
    http.get('*/api/submissions', ({ request }) =>
      HttpResponse.json([{ _id: request.headers.get('Authorization') }]),
    ),
  )
  expect((await list()).data).toEqual([{ _id: 'Bearer old' }])
})

test('an expired token is replaced once, and the call repeated', async () => {
  const tokens: (string | null)[] = []
  serve(
    session({ ...ada, accessToken: 'new' }),
    http.get('*/api/submissions', ({ request }) => {
      const token = request.headers.get('Authorization')
      tokens.push(token)
      return token === 'Bearer new'
        ? HttpResponse.json([])
        : HttpResponse.json({ code: 'unauthenticated' }, { status: 401 })
    }),
  )
  await list()
  expect(tokens).toEqual(['Bearer old', 'Bearer new'])
})

test('an ended session signs out, and the refusal reaches the caller', async () => {
  serve(
    session(null),
    http.get('*/api/submissions', () => HttpResponse.json({ code: 'unauthenticated' }, { status: 401 })),
  )
  await expect(list()).rejects.toSatisfy((error) => isProblem(error, 'unauthenticated'))
  expect(getSession()).toEqual({ status: 'out', left: false })
})

test('an old token is replaced before the call, not after a refusal', async () => {
  vi.useFakeTimers({ now: Date.now() + 14 * 60_000, toFake: ['Date'] })
  const tokens: (string | null)[] = []
  serve(
    session({ ...ada, accessToken: 'new' }),
    http.get('*/api/submissions', ({ request }) => {
      tokens.push(request.headers.get('Authorization'))
      return HttpResponse.json([])
    }),
  )
  await list()
  expect(tokens).toEqual(['Bearer new'])
})

test('callers who renew at once share one call', async () => {
  let calls = 0
  serve(
    http.get('*/api/auth/session', () => {
      calls++
      return HttpResponse.json({ user: ada })
    }),
  )
  await Promise.all([renewSession(), renewSession()])
  expect(calls).toBe(1)
})

test('a refusal by the API is a problem with code, fields and retry time', async () => {
  serve(
    http.post('*/api/auth/login', () =>
      HttpResponse.json(
        {
          code: 'rate-limited',
          detail: 'Too many attempts',
          errors: [{ location: 'body.email', message: 'x' }],
        },
        { status: 429, headers: { 'Retry-After': '60' } },
      ),
    ),
  )
  const call = answer(api.POST('/api/auth/login', { body: { email: 'a@b.c', password: 'x' } }))
  await expect(call).rejects.toMatchObject({
    status: 429,
    code: 'rate-limited',
    message: 'Too many attempts',
    fields: [{ location: 'body.email', message: 'x' }],
    retryAfter: 60,
  })
})

const lost = [
  ['no answer', () => HttpResponse.error()],
  ['502', () => new HttpResponse('<html>', { status: 502 })],
  ['503 without a time', () => new HttpResponse('<html>', { status: 503 })],
  ['504', () => new HttpResponse('<html>', { status: 504 })],
] as const

test.each(lost)('a lost read is repeated once: %s', async (_, failure) => {
  let asked = 0
  serve(http.get('*/api/submissions', () => (++asked === 1 ? failure() : HttpResponse.json([{ _id: 'a' }]))))
  expect((await list()).data).toEqual([{ _id: 'a' }])
  expect(asked).toBe(2)
})

test.each(lost)('a second failure reaches the caller: %s', async (_, failure) => {
  let asked = 0
  serve(
    http.get('*/api/submissions', () => {
      asked++
      return failure()
    }),
  )
  await expect(list()).rejects.toSatisfy((error) => isProblem(error))
  expect(asked).toBe(2)
})

test.each(lost)('a write is never sent twice: %s', async (_, failure) => {
  let asked = 0
  serve(
    http.all('*/api/*', () => {
      asked++
      return failure()
    }),
  )
  const path = { params: { path: { id: 'a' } } }
  const calls = [
    api.POST('/api/submissions', { body: { assignmentId: 'a', docsLink: 'https://example.org' } }),
    api.PATCH('/api/submissions/{id}', { ...path, body: { marks: 1, feedback: 'Fine.' } }),
    api.DELETE('/api/assignment/{id}', path),
  ]
  const refused = (call: Promise<unknown>) =>
    expect(answer(call as Promise<never>)).rejects.toSatisfy((error) => isProblem(error))
  await Promise.all(calls.map(refused))
  expect(asked).toBe(calls.length)
})

test('a read is not repeated where the server says when to ask, refuses, or the browser is offline', async () => {
  let asked = 0
  const answers = [
    HttpResponse.json({}, { status: 503, headers: { 'Retry-After': '1' } }),
    HttpResponse.json({}, { status: 500 }),
    HttpResponse.json({}, { status: 404 }),
    HttpResponse.error(),
  ]
  serve(http.get('*/api/submissions', () => answers[asked++]))
  for (const at of answers.keys()) {
    if (at === answers.length - 1) vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    await expect(list()).rejects.toSatisfy((error) => isProblem(error))
    expect(asked).toBe(at + 1)
  }
})

test('an aborted call ends at once', async () => {
  let asked = 0
  const wanted = new AbortController()
  serve(
    http.get('*/api/submissions', () => {
      asked++
      wanted.abort()
      return HttpResponse.error()
    }),
  )
  await expect(answer(api.GET('/api/submissions', { signal: wanted.signal }))).rejects.toMatchObject({
    status: 0,
  })
  expect(asked).toBe(1)
})

test('no answer at all is a problem of its own', async () => {
  serve()
  await expect(list()).rejects.toMatchObject({ status: 0, code: 'auth/network-request-failed' })
})

const ben = { ...ada, email: 'ben@example.org', displayName: 'Ben', accessToken: 'of Ben' }
const changed = (error: unknown) => isProblem(error, 'session-changed')

test('what one user sends is never sent as another who signed in meanwhile', async () => {
  const tokens: (string | null)[] = []
  serve(
    session(ben),
    http.post('*/api/submissions', ({ request }) => {
      tokens.push(request.headers.get('Authorization'))
      return HttpResponse.json({ code: 'unauthenticated' }, { status: 401 })
    }),
  )
  const handIn = () =>
    answer(api.POST('/api/submissions', { body: { assignmentId: 'a', docsLink: 'https://example.org' } }))
  await expect(handIn()).rejects.toSatisfy(changed)
  expect(tokens).toEqual(['Bearer old'])
  startSession(ada)
  vi.useFakeTimers({ now: Date.now() + 14 * 60_000, toFake: ['Date'] })
  await expect(handIn()).rejects.toSatisfy(changed)
  expect(tokens).toEqual(['Bearer old'])
})

test('a renewal that is answered after the user signed out does not sign in again', async () => {
  const late = gate()
  serve(
    http.get('*/api/auth/session', async () => {
      await late.opened
      return HttpResponse.json({ user: ada })
    }),
  )
  const renewed = renewSession()
  signedOut()
  late.open()
  await renewed
  expect(getSession()).toEqual({ status: 'out', left: true })
})

test('a user who signs in in another tab during a renewal is followed', async () => {
  const late = gate()
  const users = [ada, ben]
  serve(
    http.get('*/api/auth/session', async () => {
      const user = users.shift()
      if (user === ada) await late.opened
      return HttpResponse.json({ user })
    }),
  )
  followOtherTabs(() => void renewSession())
  const renewed = renewSession()
  new BroadcastChannel('session').postMessage('changed')
  await expect.poll(() => userEmail()).toBe(ben.email)
  late.open()
  await renewed
  expect(userEmail()).toBe(ben.email)
})

test('an answer that comes after another user signed in is not theirs', async () => {
  const late = gate()
  serve(
    http.get('*/api/submissions', async () => {
      await late.opened
      return HttpResponse.json([])
    }),
  )
  const asked = list()
  startSession(ben)
  late.open()
  await expect(asked).rejects.toSatisfy(changed)
})
