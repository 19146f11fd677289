import { HttpResponse, http } from 'msw'
import { beforeEach, expect, test, vi } from 'vitest'
import document from '../../../internal/api/openapi.json'
import { signedOut, startSession } from '@/lib/session'
import { serveAsSent } from '@/test/serve'
import { answer, api } from './client'
import { takesId } from './takes-id'

const person = (name: string) => ({
  email: `${name}@example.org`,
  displayName: name,
  photoURL: '',
  accessToken: 'a',
})

beforeEach(() => startSession(person('ada')))

interface Operation {
  requestBody?: { content: Record<string, { schema: { $ref?: string; properties?: object } }> }
  parameters?: { name: string }[]
}

test('exactly the operations that take an id get one', () => {
  const schemas = document.components.schemas as Record<string, { properties?: object }>
  const wants = ({ requestBody, parameters }: Operation) =>
    parameters?.some(({ name }) => name === 'id') ||
    Object.values(requestBody?.content ?? {}).some(({ schema }) =>
      Object.keys(
        (schema.$ref ? schemas[schema.$ref.split('/').at(-1) ?? ''] : schema)?.properties ?? {},
      ).includes('id'),
    )
  const paths = document.paths as Record<string, Record<string, Operation>>
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, { requestBody, parameters }] of Object.entries(item)) {
      const query = parameters?.filter((one) => 'in' in one && one.in === 'query') ?? []
      const expected =
        path !== '/api/moderation/restore' &&
        method !== 'get' &&
        wants({ ...(requestBody && { requestBody }), parameters: query })
      expect(takesId(method.toUpperCase(), path), `${method} ${path}`).toBe(expected)
    }
  }
})

const comment = (text: string) =>
  answer(api.POST('/api/assignment/{id}/comments', { params: { path: { id: 'a' } }, body: { text } }))

/** Answers comments in turn, and returns their bodies. */
function comments(...answers: (Response | 'lost')[]) {
  const sent: { id: string; text: string }[] = []
  serveAsSent(
    http.post('*/api/assignment/a/comments', async ({ request }) => {
      sent.push((await request.json()) as { id: string; text: string })
      const next = answers.shift() ?? HttpResponse.json({ insertedId: 'c' }, { status: 201 })
      return next === 'lost' ? HttpResponse.error() : next
    }),
  )
  return sent
}

const status = (code: number, problem = 'any') =>
  HttpResponse.json({ code: problem, status: code }, { status: code })

test('an id is a UUID, and new once the request is answered', async () => {
  const sent = comments()
  await comment('Hello.')
  await comment('Hello.')
  expect(sent).toHaveLength(2)
  for (const { id } of sent)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(sent[0]?.id).not.toBe(sent[1]?.id)
  expect(localStorage.getItem(Object.keys(localStorage)[0] ?? '')).not.toContain(sent[0]?.id)
})

test('without an answer the same content keeps its id, and another content has another', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const sent = comments('lost', status(503), status(500), status(409, 'already-sent'))
  for (let press = 0; press < 4; press++) await expect(comment('Hello.')).rejects.toThrow()
  await comment('Hello!')
  await comment('Hello.')
  const ids = sent.map(({ id }) => id)
  expect(new Set(ids.toSpliced(4, 1)).size).toBe(1)
  expect(ids[4]).not.toBe(ids[0])
  await comment('Hello.')
  expect(sent.at(-1)?.id).not.toBe(ids[0])
})

test('a request that is refused is decided anew', async () => {
  const sent = comments(status(409, 'discussion-closed'), status(422))
  await expect(comment('Hello.')).rejects.toThrow()
  await expect(comment('Hello.')).rejects.toThrow()
  await comment('Hello.')
  expect(new Set(sent.map(({ id }) => id)).size).toBe(3)
})

test('two presses at once have one id', async () => {
  const sent = comments()
  await Promise.all([comment('Hello.'), comment('Hello.')])
  expect(new Set(sent.map(({ id }) => id)).size).toBe(1)
})

test('an id belongs to its user, and goes with them', async () => {
  const sent = comments('lost')
  await expect(comment('Hello.')).rejects.toThrow()
  signedOut()
  startSession(person('ada'))
  await comment('Hello.')
  expect(sent[0]?.id).not.toBe(sent[1]?.id)
})

test('what has no body and what is a file have an id', async () => {
  const sent: string[] = []
  serveAsSent(
    http.post('*/api/circle/a/leave', async ({ request }) => {
      sent.push(((await request.json()) as { id: string }).id)
      return new HttpResponse(null, { status: 204 })
    }),
    http.post('*/api/circle/a/roster', async ({ request }) => {
      sent.push(new URL(request.url).searchParams.get('id') ?? '', await request.text())
      return HttpResponse.json({ added: 0 })
    }),
  )
  const params = { path: { id: 'a' } }
  await answer(api.POST('/api/circle/{id}/leave', { params }))
  await answer(
    api.POST('/api/circle/{id}/roster', {
      params: { ...params, query: { dryRun: 'false' } },
      body: 'email\n',
      headers: { 'Content-Type': 'text/csv' },
      bodySerializer: (file) => file,
    }),
  )
  expect(sent).toEqual([expect.stringMatching(/^.{36}$/), expect.stringMatching(/^.{36}$/), 'email\n'])
})
