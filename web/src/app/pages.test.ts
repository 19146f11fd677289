import { expect, test } from 'vitest'
import { manifest } from './manifest'
import { pageQueries } from './page-queries'
import { pages } from './pages'

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
