import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { assignmentQuery, listQuery, type Assignment } from '@/entities/assignment/queries'
import { commentsQuery } from '@/entities/comment/threads-query'
import { decisionsQuery, reportsQuery } from '@/entities/report/queries'
import { dashboardQuery } from '@/entities/progress/queries'
import { accountQuery } from '@/entities/user/queries'
import { mineQuery, pendingQuery } from '@/entities/submission/queries'
import { pageQuery, partingKey, setAnswer, staleKeys } from '@/lib/query'

const sources = import.meta.glob<string>('/src/**/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
})

test('every query declares which live events make its answer stale', () => {
  const queries = Object.entries(sources)
    .filter(([file]) => !/\.test\.tsx?$/.test(file))
    .flatMap(([file, source]) =>
      source
        .split(/\b(?:infiniteQ|q)ueryOptions\(\{/)
        .slice(1)
        .map((options) => ({ file, declared: declaresStaleOn(options) })),
    )
  expect(queries.length).toBeGreaterThan(20)
  expect(queries.filter(({ declared }) => !declared)).toEqual([])
})

test('no component reads a query that is declared on the spot', () => {
  const found = Object.entries(sources).filter(
    ([file, source]) => !/\.test\.tsx?$/.test(file) && /use(?:Infinite)?Query\(\{\s*queryKey/.test(source),
  )
  expect(found.map(([file]) => file)).toEqual([])
})

/** Whether the options of a query, up to the next export, have `staleOn`. */
const declaresStaleOn = (options: string) =>
  /\bstaleOn\b/.test(options.split(/^export |^(?:async )?function /m)[0] ?? '')

function cacheWith() {
  const client = new QueryClient()
  const page = { page: 1, level: '', sort: '', search: '' } as const
  setAnswer<Assignment | null, string[]>(client, assignmentQuery('a'), { _id: 'a' } as Assignment)
  setAnswer<Assignment | null, string[]>(client, assignmentQuery('b'), { _id: 'b' } as Assignment)
  for (const { prime } of [
    pageQuery(listQuery({ ...page, state: '' })),
    pageQuery(listQuery({ ...page, state: 'mine' })),
    pageQuery(commentsQuery('a', 1)),
    pageQuery(commentsQuery('b', 1)),
    pageQuery(pendingQuery(1)),
    pageQuery(mineQuery('ada', { page: 1, status: '', search: '' })),
    pageQuery(dashboardQuery),
    pageQuery(accountQuery),
    pageQuery(reportsQuery(1)),
    pageQuery(reportsQuery(2, 'c')),
    pageQuery(decisionsQuery(1)),
  ]) {
    prime(client, { data: [] })
  }
  return client
}

const lists = [
  ['assignments', { page: 1, level: '', sort: '', search: '', state: '' }],
  ['assignments', { page: 1, level: '', sort: '', search: '', state: 'mine' }],
]
const pending = ['submissions', 'pending', 1]
const mine = ['submissions', 'mine', 'ada', 1]

test.each<[string, unknown[]]>([
  ['assignment.created', [['assignment', 'a'], ...lists]],
  ['assignment.updated', [['assignment', 'a'], ...lists, ['dashboard']]],
  ['assignment.results', [lists[1], ['dashboard']]],
  ['comment.created', [['comments', 'a', 1]]],
  ['submission.pending', [pending, ['dashboard']]],
  ['submission.changed', [pending]],
  ['own-submission', [lists[1], mine, ['dashboard']]],
  [
    'reports',
    [
      ['reports', undefined, 1],
      ['reports', 'c', 2],
      ['decisions', undefined, 1],
    ],
  ],
  ['unheard-of', []],
])('%s makes stale what depends on it', (kind, keys) => {
  expect(staleKeys(cacheWith(), { kind, id: 'a' })).toEqual(keys)
})

test('a reset makes every answer stale', () => {
  const client = cacheWith()
  expect(staleKeys(client, { kind: 'reset', id: '' })).toHaveLength(client.getQueryCache().getAll().length)
})

test('an answer without declarations counts as stale, one that is known to be gone does not', () => {
  const client = new QueryClient()
  client.setQueryData(['unknown'], 1)
  client.setQueryData(['assignment', 'a'], null)
  expect(staleKeys(client, { kind: 'assignment.deleted', id: 'a' })).toEqual([['unknown']])
})

test('no answer about a subject is asked for while its viewer leaves it', async () => {
  const client = cacheWith()
  let left = () => {}
  const promise = new Promise<void>((resolve) => {
    left = resolve
  })
  const parting = client
    .getMutationCache()
    .build(client, { mutationKey: partingKey('a'), mutationFn: () => promise })
  const done = parting.execute(undefined)
  expect(staleKeys(client, { kind: 'assignment.updated', id: 'a' })).toEqual([...lists, ['dashboard']])
  left()
  await done
  expect(staleKeys(client, { kind: 'assignment.updated', id: 'a' })).toEqual([
    ['assignment', 'a'],
    ...lists,
    ['dashboard'],
  ])
})
