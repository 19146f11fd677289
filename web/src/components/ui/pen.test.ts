import { expect, test } from 'vitest'
import { penCircle } from './pen'

test('a mark always looks the same, and no two look alike', () => {
  expect(penCircle('a')).toBe(penCircle('a'))
  expect(new Set(['a', 'b', 'c', 'd'].map(penCircle)).size).toBe(4)
})

test('the stroke stays around its box', () => {
  for (const seed of ['1', 'grade', 'page 7', '']) {
    const numbers =
      penCircle(seed)
        .match(/-?\d+\.\d/g)
        ?.map(Number) ?? []
    expect(Math.min(...numbers)).toBeGreaterThan(-8)
    expect(Math.max(...numbers)).toBeLessThan(108)
  }
})
