import { expect, test } from 'vitest'
import type { Boot } from '@/lib/boot'
import { queryClient } from '@/lib/query-client'
import { assignmentQuery } from '@/entities/assignment/queries'
import { commentsQuery } from '@/entities/comment/threads-query'
import { manifest } from './manifest'
import { pageQueries } from './page-queries'
import { pages } from './pages'
import { primeFirstPage } from './prime-first-page'
import { routes } from './routes'

test('the manifest says all that a server has to know of a page, and is plain data', () => {
  const entries = manifest()
  expect(JSON.parse(JSON.stringify(entries))).toEqual(entries)
  expect(entries).toContainEqual({
    name: 'assignment',
    path: '/assignment/:id',
    title: '{assignment.title} | Assignment Details',
    audience: 'all',
    layout: 'main',
    data: ['assignment', 'comments'],
    withoutHall: 'users',
  })
  expect(entries).toContainEqual({ path: '/about-us', redirectTo: '/about-Us' })
})

test('names and paths are unique, and redirects lead to pages', () => {
  const paths = manifest().map(({ path }) => path)
  expect(new Set(paths).size).toBe(paths.length)
  expect(new Set(pages.map(({ name }) => name)).size).toBe(pages.length)
  for (const { redirectTo } of manifest()) {
    if (redirectTo) expect(paths).toContain(redirectTo)
  }
})

test('pages that show anything of the server’s have its cache', () => {
  const withData = pages.filter(({ hasData }) => hasData).map(({ name }) => name)
  expect(withData).toEqual(expect.arrayContaining(Object.keys(pageQueries)))
})

test('first HTML of what does not exist answers the query of its subject alone', async () => {
  await primeFirstPage(routes, '/assignment/a1', { notFound: true } as Boot)
  expect(queryClient.getQueryData(assignmentQuery('a1').queryKey)).toBeNull()
  expect(queryClient.getQueryData(commentsQuery('a1', 1).queryKey)).toBeUndefined()
})
