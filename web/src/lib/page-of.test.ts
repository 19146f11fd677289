import { expect, test } from 'vitest'
import { pageOf } from './page-of'

test.each([
  ['page=3', 3],
  ['page=03', 3],
  ['', 1],
  ['page=', 1],
  ['page=0', 1],
  ['page=-2', 1],
  ['page=1.5', 1],
  ['page=two', 1],
  ['page=1e999', 1],
  ['page=9007199254740993', 1],
])('?%s is page %i', (query, page) => expect(pageOf(new URLSearchParams(query))).toBe(page))
