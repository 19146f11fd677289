import { expect, test } from 'vitest'
import { settle } from '@/lib/grade-model/settle'
import { whyItDiffers, type ExplainedMark } from './plain-average'

/** What a page shows of a mark that the model made of these reviews. */
function explained(
  usual: number,
  ...reviews: { mark: number; strictness?: number; weight?: number }[]
): ExplainedMark {
  const inputs = reviews.map(({ mark, strictness = 0, weight = 1 }, at) => ({
    label: String.fromCodePoint(65 + at),
    mark,
    strictness,
    weight,
  }))
  const made = settle({ model: 'SC1', kappa: 1, total: 20, usual, noise: 0.25, reviews: inputs })
  return {
    total: 20,
    estimate: made.estimate,
    usualMark: made.usualMark,
    kappa: 1,
    reviews: inputs.map((review, at) => ({
      ...review,
      countsAs: made.counted[at]?.as ?? 0,
      counted: made.counted[at]?.weight ?? 0,
    })),
  }
}

/** Nearly the angle of 15 of 20. */
const usual15 = 1.045

test('a mark that agrees with the plain average is labelled', () => {
  expect(whyItDiffers(explained(usual15, { mark: 15 }, { mark: 15 }, { mark: 15 }))).toMatch(
    /^Before it is rounded, the mark is [\d.]+: the corrections of the model change the plain average little/,
  )
})

test('a reviewer who is strict elsewhere', () => {
  expect(whyItDiffers(explained(usual15, { mark: 15 }, { mark: 14, strictness: -0.15 }))).toMatch(
    /^The mark is above the plain average: B marked other work lower than other reviewers did, so the 14 counts as 16\.\d/,
  )
  expect(whyItDiffers(explained(usual15, { mark: 15 }, { mark: 16, strictness: 0.2 }))).toMatch(
    /^The mark is below the plain average: B marked other work higher than other reviewers did, so the 16 counts as 12\.4/,
  )
})

test('a review far from the others, or by a reviewer whose marks do not follow the work', () => {
  expect(whyItDiffers(explained(usual15, { mark: 18 }, { mark: 17 }, { mark: 4 }))).toContain(
    'C’s 4 is far from the others, so it has less weight',
  )
  expect(whyItDiffers(explained(usual15, { mark: 18 }, { mark: 17 }, { mark: 12, weight: 0.25 }))).toContain(
    'C’s marks on other work follow it less closely, so the 12 has less weight',
  )
})

test('the class average draws, and no mark passes the lowest and highest review', () => {
  expect(whyItDiffers(explained(0.6, { mark: 18 }, { mark: 16 }))).toMatch(
    /the class average, [\d.]+, counts as one more review and draws it down\. It is held at the lowest review\.$/,
  )
})

test('the class average may count as less than a review', () => {
  const mark = { ...explained(0.6, { mark: 18 }, { mark: 16 }), kappa: 0.5 }
  expect(whyItDiffers(mark)).toContain('counts as 0.50 of a review and draws it down')
})

test('only reasons that explain the direction are given', () => {
  const text = whyItDiffers(explained(usual15, { mark: 4 }, { mark: 6, strictness: 0.05 }))
  expect(text).toMatch(/^The mark is above/)
  expect(text).not.toContain('higher than other reviewers')
})
