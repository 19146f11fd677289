import { expect, test } from 'vitest'
import { pageNumbers } from './page-numbers'

const shown = (page: number, total: number) =>
  pageNumbers(page, total)
    .map((n) => n ?? '…')
    .join(' ')

test.each([
  [1, 1, '1'],
  [1, 4, '1 2 3 4'],
  [1, 7, '1 2 … 7'],
  [4, 7, '1 2 3 4 5 6 7'],
  [7, 7, '1 … 6 7'],
  [50, 100, '1 … 49 50 51 … 100'],
  [3, 100, '1 2 3 4 … 100'],
  // A page past the end, as an old link may have it.
  [9, 4, '1 2 3 4'],
])('page %i of %i', (page, total, expected) => expect(shown(page, total)).toBe(expected))
