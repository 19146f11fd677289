import { expect, test } from 'vitest'
import golden from '../../../../internal/grademodel/testdata/settlements.json'
import { settle } from './settle'

interface Golden {
  total: number
  exemplar?: boolean
  scale: { usual: number; noise: number }
  reviews: { mark: number; strictness: number; weight: number }[]
  counted: { as: number; weight: number }[]
}

const fields = ['estimate', 'mark', 'low', 'high', 'open', 'usualMark'] as const

test('the same inputs make the same mark as on the server', () => {
  const settlements = golden as (Golden & Record<(typeof fields)[number], number>)[]
  expect(settlements.length).toBeGreaterThan(20)
  for (const want of settlements) {
    const made = settle(
      { model: 'SC1', kappa: 1, total: want.total, ...want.scale, reviews: want.reviews },
      want.exemplar,
    )
    for (const field of fields) expect(Math.abs(made[field] - want[field])).toBeLessThan(1e-9)
    made.counted.forEach(({ as, weight }, at) => {
      expect(Math.abs(as - (want.counted[at]?.as ?? NaN))).toBeLessThan(1e-9)
      expect(Math.abs(weight - (want.counted[at]?.weight ?? NaN))).toBeLessThan(1e-9)
    })
  }
})

test('the order of reviews changes no digit', () => {
  const reviews = [
    { mark: 18, strictness: 0.05, weight: 1 },
    { mark: 15, strictness: 0, weight: 1.25 },
    { mark: 12, strictness: -0.1, weight: 0.75 },
  ]
  const inputs = { model: 'SC1', kappa: 1, total: 20, usual: 1.05, noise: 0.24, reviews }
  const { counted: _, ...one } = settle(inputs)
  const { counted: __, ...other } = settle({ ...inputs, reviews: reviews.toReversed() })
  expect(other).toEqual(one)
})
