import type { Graded, Submission } from './class'
import { angle, average, byValue, clamp, settle, type Scale } from './settle'
import { assignmentsOf, groupBy, onGrid } from './start'

/** A review's evidence about its reviewer: docs/trust.md names the sums. */
interface Part {
  reviewer: string
  p: number
  m: number
  xx: number
  xe: number
  xd: number
}

/**
 * SC1: what the others say of each review makes its reviewer's record, and that the settlement. In SC1K the usual mark
 * counts as κ reviews.
 */
export function gradeBySC1(model: 'SC1' | 'SC1K', submissions: readonly Submission[]): Graded[] {
  const assignments = assignmentsOf(submissions, model === 'SC1K')
  const scaleOf = ({ assignment }: Submission) => assignments.get(assignment)?.scale as Scale
  const parts = submissions.map((submission) => partsOf(scaleOf(submission), submission))
  const records = groupBy(parts.flat(), ({ reviewer }) => reviewer)
  const sums = new Map([...records].map(([reviewer, of]) => [reviewer, sumOf(of)]))
  return submissions.map((submission, i) => {
    const scale = scaleOf(submission)
    const judged = submission.reviews.map(({ reviewer }, j) => {
      const all = sums.get(reviewer) as Part
      const own = parts[i]?.[j] as Part
      return judge(all, own)
    })
    const reviews = submission.reviews.map(({ mark }, j) => ({
      mark,
      ...(judged[j] as (typeof judged)[number]),
    }))
    const made = settle({ model, total: submission.total, ...scale, reviews }, submission.known !== undefined)
    const { estimate, mark, low, high, open, usualMark } = made
    return { estimate, mark, interval: { low, high, open }, usualMark, scale, judged }
  })
}

function partsOf(scale: Scale, { total, known, reviews }: Submission): Part[] {
  const { usual, noise } = scale
  const angles = reviews.map(({ mark }) => angle(mark, total))
  return reviews.map(({ reviewer }, i) => {
    const z = angles[i] ?? NaN
    let theta: number
    let c = 1
    if (known === undefined) {
      const others = angles
        .filter((_, j) => j !== i)
        .map((value) => ({ value, weight: 1, w: 1 }))
        .toSorted(byValue)
      const said = average(scale, 11, others)
      theta = said.theta
      c = 1 / (1 + 1 / said.weights)
    } else theta = angle(known, total)
    const x = (theta - usual) / noise
    const e = (z - usual) / noise
    return {
      reviewer,
      p: onGrid(c),
      m: onGrid(c * (z - theta)),
      xx: onGrid(c * x * x),
      xe: onGrid(c * x * e),
      xd: onGrid((c * x) / noise),
    }
  })
}

function sumOf(parts: readonly Part[]): Part {
  const sum = { reviewer: '', p: 0, m: 0, xx: 0, xe: 0, xd: 0 }
  for (const { p, m, xx, xe, xd } of parts) {
    sum.p += p
    sum.m += m
    sum.xx += xx
    sum.xe += xe
    sum.xd += xd
  }
  return sum
}

const half = (x: number) => Math.sign(x) * Math.floor(Math.abs(x) + 0.5)

function judge(all: Part, own: Part) {
  const b = (all.m - own.m) / (all.p - own.p + 3)
  const a = (8 + all.xe - own.xe - b * (all.xd - own.xd)) / (8 + all.xx - own.xx)
  return { strictness: half(b * 20) / 20 + 0, weight: half(clamp(a, 0, 1.5) * 4) / 4 }
}
