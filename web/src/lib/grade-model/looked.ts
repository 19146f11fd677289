import { clamp, edge } from './settle'
import type { Assignment } from './start'

/** A review with what the rounds have made of it. All but z, bin and exemplar come from other reviews alone. */
export interface Review {
  reviewer: string
  mark: number
  z: number
  bin: number
  exemplar: boolean
  assignment: Assignment
  theta: number
  c: number
  d: number
  b: number
  a: number
  p: number
  hint: number
}

const bins = 24
const lowest = Math.asin(Math.sqrt(edge))
const width = (Math.asin(Math.sqrt(1 - edge)) - lowest) / bins
const middleOf = (bin: number) => lowest + (bin + 0.5) * width

/** Half of a total lies where two bins meet and belongs to the upper one, in spite of rounding. */
export const binOf = (z: number) => Math.min(Math.floor((z - lowest) / width + 1e-9), bins - 1)

/** How reviewers in a class mark when they look at the work, and when they do not. */
export interface Looking {
  /** π, the share of reviewers who do not look. */
  not: number
  /** f + .002, how often each bin is given. */
  marks: number[]
  /** u, how often reviewers who do not look give it. */
  unread: number[]
}

export function lookingAtFirst(reviews: readonly Review[]): Looking {
  const counted = reviews.filter(({ exemplar }) => !exemplar)
  const counts = Array<number>(bins).fill(0)
  for (const { bin } of counted) counts[bin] = (counts[bin] ?? 0) + 1
  const shares = counts.map((n) => (0.5 + n) / (12 + counted.length))
  return { not: 0.2, marks: shares.map((f) => f + 0.002), unread: shares.map((f) => f / 2 + 1 / 48) }
}

/**
 * L, what a review says about whether its reviewer looks at work. others is the Σ' c of the reviewer's other reviews,
 * level the reviewer's own level, which a first review does not have.
 */
export function hint(looking: Looking, review: Review, others: number, level: number | undefined): number {
  const { bin, theta, b, c, assignment } = review
  const sigma = assignment.scale.noise * Math.sqrt(1 / c + 1 / (others + 5))
  const looked = 0.97 * near(looking.marks, bin, theta + b, sigma) + 0.03 / bins
  let not = looking.unread[bin] ?? 0
  if (level !== undefined) not = near(looking.unread, bin, level, 0.2) / 2 + not / 2
  return clamp(Math.log(looked / not), -3, 3)
}

/** The share of a bin among all bins, each weighted by how near it is to the middle, as in looked.go. */
function near(weights: readonly number[], bin: number, middle: number, sigma: number): number {
  const nearest = clamp(Math.floor((middle - lowest) / width), 0, bins - 1)
  const t = (middleOf(nearest) - middle) / sigma
  const h = width / sigma
  const shrink = Math.exp(-h * h)
  let sum = weights[nearest] ?? 0
  let at = bin === nearest ? sum : 0
  for (const step of [1, -1]) {
    let phi = 1
    let factor = Math.exp(-(step * t + h / 2) * h)
    for (let b = nearest + step; b >= 0 && b < bins; b += step) {
      phi *= factor
      factor *= shrink
      const share = (weights[b] ?? 0) * phi
      sum += share
      if (b === bin) at = share
    }
  }
  return at / sum
}
