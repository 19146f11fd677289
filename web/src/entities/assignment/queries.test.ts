import { HttpResponse, getResponse, http, type HttpHandler } from 'msw'
import { afterEach, expect, test, vi } from 'vitest'
import { invalidate } from '@/lib/query'
import { queryClient } from '@/lib/query-client'
import type { ListQuery } from './list-query'
import { deleteAssignment } from './mutations'
import { assignmentKeys, assignmentQuery, listQuery, type Assignment } from './queries'

const known: Assignment = {
  _id: 'a',
  title: 'Known',
  description: 'd',
  format: 'plain',
  thumbnail: 'https://example.org/a.svg',
  marks: 20,
  level: 'easy',
  dueDate: '2199-01-02T23:59:59Z',
  circleId: null,
  circleName: null,
  creatorEmail: 'ada@example.org',
  creatorName: 'Ada',
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-02T00:00:00.5Z',
}
const listed = (change: Partial<Assignment>) => ({
  data: [{ ...known, title: 'Listed', ...change }],
  pagination: { page: 1, limit: 10, total: 1, totalPages: 1 },
})
const first: ListQuery = { page: 1, level: '', state: '', sort: '', search: '' }
const key = assignmentKeys.one('a')

function serve(...handlers: HttpHandler[]) {
  vi.spyOn(window, 'fetch').mockImplementation(async (input, init) => {
    const response = await getResponse(handlers, new Request(input, init))
    if (!response) throw new TypeError('Failed to fetch')
    return response
  })
}

const answerList = (change: Partial<Assignment>) =>
  serve(http.get('*/api/assignments', () => HttpResponse.json(listed(change))))

afterEach(() => void vi.restoreAllMocks())

const titleAfterList = async () => {
  await queryClient.fetchQuery({ ...listQuery(first), staleTime: 0 })
  return queryClient.getQueryData<Assignment | null>(key)?.title
}

test('a list tells all of an assignment that was not known', async () => {
  answerList({})
  expect(await titleAfterList()).toBe('Listed')
  // So its details need no call.
  vi.restoreAllMocks()
  const { title } = (await queryClient.fetchQuery(assignmentQuery('a'))) ?? {}
  expect(title).toBe('Listed')
})

test('a newer version in a list counts, an older one does not', async () => {
  queryClient.setQueryData(key, known)
  answerList({ updatedAt: '2026-01-02T00:00:00Z' })
  expect(await titleAfterList()).toBe('Known')
  answerList({ updatedAt: '2026-01-02T00:00:01Z' })
  expect(await titleAfterList()).toBe('Listed')
})

test('of the same version, what was asked for later counts', async () => {
  answerList({})
  queryClient.setQueryData(key, known, { updatedAt: Date.now() - 1_000 })
  expect(await titleAfterList()).toBe('Listed')
  queryClient.setQueryData(key, known, { updatedAt: Date.now() + 1_000 })
  expect(await titleAfterList()).toBe('Known')
})

test('a list of the same version does not make a stale answer fresh', async () => {
  answerList({})
  queryClient.setQueryData(key, known, { updatedAt: Date.now() - 1_000 })
  invalidate(queryClient, key)
  await titleAfterList()
  expect(queryClient.getQueryState(key)?.isInvalidated).toBe(true)
})

test('an older list does not bring back a deleted assignment', async () => {
  queryClient.setQueryData(key, null)
  answerList({ updatedAt: '2030-01-01T00:00:00Z' })
  await titleAfterList()
  expect(queryClient.getQueryData(key)).toBeNull()
})

test.each([404, 422])('an assignment that does not exist is an answer: %s', async (status) => {
  serve(http.get('*/api/assignment/a', () => HttpResponse.json({ code: 'not-found' }, { status })))
  expect(await queryClient.fetchQuery(assignmentQuery('a'))).toBeNull()
})

const remove = (id: string) => queryClient.getMutationCache().build(queryClient, deleteAssignment).execute(id)
const shownInList = () =>
  queryClient.getQueryData<{ data: Assignment[] }>(assignmentKeys.list(first))?.data.map(({ _id }) => _id)

test('deleting takes it out of lists at once, and puts it back where the server refuses', async () => {
  queryClient.setQueryData(assignmentKeys.list(first), listed({}))
  queryClient.setQueryData(key, known)
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  serve(
    http.delete('*/api/assignment/a', async () => {
      await held
      return HttpResponse.json({ code: 'not-your-assignment' }, { status: 403 })
    }),
  )
  const call = remove('a')
  await vi.waitFor(() => expect(shownInList()).toEqual([]))
  release()
  await expect(call).rejects.toMatchObject({ code: 'not-your-assignment' })
  expect(shownInList()).toEqual(['a'])
  expect(queryClient.getQueryData(key)).toEqual(known)
})

test.each([
  ['deleted', () => HttpResponse.json({ deletedCount: 1 })],
  ['gone already', () => HttpResponse.json({ code: 'not-found' }, { status: 404 })],
])('what is %s is known to be gone', async (_, answer) => {
  queryClient.setQueryData(assignmentKeys.list(first), listed({}))
  queryClient.setQueryData(key, known)
  serve(http.delete('*/api/assignment/a', answer))
  await remove('a')
  expect(shownInList()).toEqual([])
  expect(queryClient.getQueryData(key)).toBeNull()
  expect(queryClient.getQueryState(assignmentKeys.list(first))?.isInvalidated).toBe(true)
})
