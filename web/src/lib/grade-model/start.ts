import type { Submission } from './class'
import { angle, clamp, type Scale } from './settle'

/** An assignment of a class. Exemplars are left out of its submissions. */
export interface Assignment {
  scale: Scale
  submissions: number[]
}

/**
 * Rounds a summand to a multiple of 2⁻³². Such numbers add up to the same in any order, so that names, which decide the
 * order, change no bit of a sum.
 */
export const onGrid = (x: number) => x + 1_572_864 - 1_572_864

/** The items of each key. */
export function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}

/** κ from s², Σ h((m−μ)² − s²/q) and Σ h. */
export function kappaOf(variance: number, spread: number, h: number): number {
  const between = Math.max((20 * variance + spread) / (20 + h), 1e-6)
  return clamp(variance / between, 0.25, 1)
}

/** The assignments of a class, with μ and s of SC1, with which SC2 starts; κ is 1, or SC1K's. */
export function assignmentsOf(submissions: readonly Submission[], hasKappa = false): Map<string, Assignment> {
  const assignments = new Map<string, Assignment>()
  submissions.forEach(({ assignment, known }, at) => {
    const found = assignments.get(assignment) ?? {
      scale: { usual: 0, noise: 0, kappa: 1 },
      submissions: [],
    }
    assignments.set(assignment, found)
    if (known === undefined) found.submissions.push(at)
  })
  for (const found of assignments.values()) {
    let means = 0
    let squares = 0
    let free = 0
    let unsaid = 0
    let said = 0
    let saidSquares = 0
    const spreads = found.submissions.map((at) => spreadOf(submissions[at]))
    spreads.sort((a, b) => a.mean - b.mean || a.squares - b.squares || a.free - b.free)
    for (const spread of spreads) {
      means += spread.mean
      squares += spread.squares
      free += spread.free
      const rest = 1 / (spread.free + 2)
      unsaid += rest
      said += (1 - rest) * spread.mean
      saidSquares += (1 - rest) * spread.mean * spread.mean
    }
    found.scale.usual = (2 * 1.05 + means) / (2 + spreads.length)
    found.scale.noise = Math.sqrt((10 * 0.24 * 0.24 + squares) / (10 + free))
    if (hasKappa) {
      const { usual, noise } = found.scale
      const h = spreads.length - unsaid
      const spread = saidSquares - 2 * usual * said + usual * usual * h - noise * noise * unsaid
      found.scale.kappa = kappaOf(noise * noise, spread, h)
    }
  }
  return assignments
}

function spreadOf(submission: Submission | undefined) {
  const { total = 1, reviews = [] } = submission ?? {}
  const angles = reviews.map(({ mark }) => angle(mark, total)).toSorted((a, b) => a - b)
  const mean = angles.reduce((sum, z) => sum + z, 0) / angles.length
  const squares = angles.reduce((sum, z) => sum + (z - mean) * (z - mean), 0)
  return { mean, squares, free: angles.length - 1 }
}
