import { expect, test } from 'vitest'
import { oneOf, pageNumber, searchParams, words } from './search-params'

test.each([
  ['3', 3],
  ['03', 3],
  ['', 1],
  ['0', 1],
  ['-2', 1],
  ['1.5', 1],
  ['two', 1],
  ['1e999', 1],
  ['9007199254740993', 1],
])('page=%s is page %i', (text, page) => expect(pageNumber(text)).toBe(page))

const list = searchParams({ search: words(5), level: oneOf('easy', 'hard'), page: pageNumber })

test.each([
  ['', { search: '', level: '', page: 1 }],
  ['search=+cells+&level=hard&page=2', { search: 'cells', level: 'hard', page: 2 }],
  ['search=photosynthesis&level=Hard&page=x', { search: 'photo', level: '', page: 1 }],
])('?%s is read', (query, values) => expect(list.read(new URLSearchParams(query))).toEqual(values))

test('an address leaves defaults out, keeps the rest, and starts at the first page', () => {
  const here = new URLSearchParams('tab=members&level=easy&page=4')
  expect(list.address('/list', {})).toBe('/list')
  expect(list.address('/list', { search: 'a b', level: '', page: 1 })).toBe('/list?search=a+b')
  expect(list.address('', { level: 'hard' }, here)).toBe('?tab=members&level=hard')
  expect(list.address('', { search: 'a' }, here)).toBe('?tab=members&search=a&level=easy')
  expect(list.address('/list', { level: '', page: 2 }, here)).toBe('/list?tab=members&page=2')
})
