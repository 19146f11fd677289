/**
 * A settlement of the grade models: internal/grademodel makes the same of the same inputs. Names in
 * formulas are those of docs/trust.md.
 */
export interface ModelInputs extends Scale {
  /** SC2 weighs the reviews three times, the others eleven times. */
  model: string
  total: number
  reviews: readonly { mark: number; strictness: number; weight: number }[]
}

export interface Scale {
  /** μ, the assignment's usual mark, an angle. */
  usual: number
  /** s, the noise of one review, an angle. */
  noise: number
  /** κ, the number of reviews that the usual mark counts as; 1 in SC1. */
  kappa: number
}

export interface Settled {
  estimate: number
  mark: number
  low: number
  high: number
  open: number
  usualMark: number
  counted: { angle: number; as: number; weight: number }[]
  /** The weighted average of angles that the estimate is made of, and the sum of weights, the usual mark's κ among them. */
  average: number
  weights: number
}

export const edge = 0.005
const overlooked = 0.12
const eightOfTen = 1.28
const residuals = 2

export const clamp = (x: number, low: number, high: number) => Math.min(Math.max(x, low), high)
export const angle = (mark: number, total: number) =>
  Math.asin(Math.sqrt(edge + ((1 - 2 * edge) * mark) / total))

export function markAt(z: number, total: number): number {
  const sine = Math.sin(clamp(z, 0, Math.PI / 2))
  return total * clamp((sine * sine - edge) / (1 - 2 * edge), 0, 1)
}

/** A review's corrected angle and weight, and w, the weight that it has in the average. */
export interface Weighed {
  value: number
  weight: number
  w: number
}

export const byValue = (a: Weighed, b: Weighed) => a.value - b.value || a.weight - b.weight

/** The average of reviews and usual mark. Sums run in the order of values, so that the order of reviews changes no digit. */
export function average({ usual, noise, kappa }: Scale, rounds: number, sorted: readonly Weighed[]) {
  for (const review of sorted) review.w = review.weight
  for (let round = 1; ; round++) {
    let weights = kappa
    let theta = kappa * usual
    for (const { value, w } of sorted) {
      weights += w
      theta += w * value
    }
    theta /= weights
    if (round === rounds) return { theta, weights }
    for (const review of sorted) {
      review.w =
        (review.weight * 9) / (8 + ((review.value - theta) * (review.value - theta)) / (noise * noise))
    }
  }
}

/** Makes the mark; there is at least one review. An exemplar's mark may leave the range of its reviews. */
export function settle({ model, total, reviews, ...scale }: ModelInputs, exemplar = false): Settled {
  const { usual, noise, kappa } = scale
  const sorted = reviews
    .map(({ mark, strictness, weight }, at) => ({ at, value: angle(mark, total) - strictness, weight, w: 0 }))
    .toSorted(byValue)
  const { theta, weights } = average(scale, model === 'SC2' ? 3 : 11, sorted)
  let squares = residuals * noise * noise
  const counted: Settled['counted'] = []
  for (const { at, value, w } of sorted) {
    squares += w * (value - theta) * (value - theta)
    counted[at] = { angle: value, as: markAt(value, total), weight: w }
  }
  let estimate = markAt(theta, total)
  if (!exemplar) {
    let lowest = total
    let highest = 0
    for (const { mark } of reviews) {
      lowest = Math.min(lowest, mark)
      highest = Math.max(highest, mark)
    }
    estimate = clamp(estimate, lowest, highest)
  }
  const mark = Math.floor(estimate + 0.5)
  const variance = squares / ((residuals + weights - kappa) * weights)
  const r = Math.sqrt(variance)
  const sd = Math.sqrt(variance + overlooked * overlooked)
  return {
    estimate,
    mark,
    low: Math.min(markAt(theta - eightOfTen * sd, total), estimate, mark),
    high: Math.max(markAt(theta + eightOfTen * sd, total), estimate, mark),
    open: (markAt(theta + eightOfTen * r, total) - markAt(theta - eightOfTen * r, total)) / 2,
    usualMark: markAt(usual, total),
    counted,
    average: theta,
    weights,
  }
}
