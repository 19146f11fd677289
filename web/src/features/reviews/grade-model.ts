/**
 * The grade model SC1, as far as a settlement goes: what internal/grademodel makes of the same inputs, to the same
 * golden files. The formulas' names are those of docs/trust.md.
 */
export interface ModelInputs {
  total: number
  usual: number
  noise: number
  reviews: readonly { mark: number; strictness: number; weight: number }[]
}

export interface Settled {
  estimate: number
  mark: number
  low: number
  high: number
  open: number
  usualMark: number
  counted: { angle: number; as: number; weight: number }[]
  /** The weighted average of angles that the estimate is made of, and the sum of weights, the usual mark's 1 among them. */
  average: number
  weights: number
}

const edge = 0.005
const rounds = 11
const overlooked = 0.12
const eightOfTen = 1.28
const residuals = 2

const clamp = (x: number, low: number, high: number) => Math.min(Math.max(x, low), high)
const angle = (mark: number, total: number) => Math.asin(Math.sqrt(edge + ((1 - 2 * edge) * mark) / total))

function markAt(z: number, total: number): number {
  const sine = Math.sin(clamp(z, 0, Math.PI / 2))
  return total * clamp((sine * sine - edge) / (1 - 2 * edge), 0, 1)
}

/** Makes the mark; there is at least one review. */
export function settle({ total, usual, noise, reviews }: ModelInputs): Settled {
  // Sums run in the order of values, so that the order of reviews changes no digit.
  const sorted = reviews
    .map(({ mark, strictness, weight }, at) => ({
      at,
      value: angle(mark, total) - strictness,
      weight,
      w: weight,
    }))
    .toSorted((a, b) => a.value - b.value || a.weight - b.weight)
  let theta = 0
  let sum = 0
  for (let round = 1; ; round++) {
    sum = 1
    theta = usual
    for (const { value, w } of sorted) {
      sum += w
      theta += w * value
    }
    theta /= sum
    if (round === rounds) break
    for (const review of sorted) {
      review.w = (review.weight * 9) / (8 + (review.value - theta) ** 2 / (noise * noise))
    }
  }
  let squares = residuals * noise * noise
  const counted: Settled['counted'] = []
  for (const { at, value, w } of sorted) {
    squares += w * (value - theta) ** 2
    counted[at] = { angle: value, as: markAt(value, total), weight: w }
  }
  const marks = reviews.map(({ mark }) => mark)
  const estimate = clamp(markAt(theta, total), Math.min(...marks), Math.max(...marks))
  const mark = Math.floor(estimate + 0.5)
  const variance = squares / ((residuals + sum - 1) * sum)
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
    weights: sum,
  }
}
