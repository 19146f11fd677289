import type { Graded, Submission } from './class'
import { hint, lookingAtFirst, binOf, type Looking, type Review } from './looked'
import { angle, average, byValue, clamp, settle, type Scale } from './settle'
import { assignmentsOf, groupBy, kappaOf, onGrid, type Assignment } from './start'

/** SC2: eight times, what the others say of each review, what that says of reviewers, and the assignments' scales. */
export function gradeBySC2(submissions: readonly Submission[]): Graded[] {
  const assignments = assignmentsOf(submissions)
  const reviews = submissions.map((submission) =>
    reviewsOf(submission, assignments.get(submission.assignment) as Assignment),
  )
  const looking = lookingAtFirst(reviews.flat())
  const reviewers = [...groupBy(reviews.flat(), ({ reviewer }) => reviewer).values()]
  for (let round = 0; round < 8; round++) {
    for (const of of reviews) hearOthers(of)
    judgeReviewers(reviewers, looking)
    for (const assignment of assignments.values()) {
      assignment.scale = scaleOf(
        assignment.scale,
        assignment.submissions.map((at) => reviews[at] ?? []),
      )
    }
  }
  return submissions.map((submission, at) => settled(submission, reviews[at] ?? []))
}

function reviewsOf({ total, known, reviews }: Submission, assignment: Assignment): Review[] {
  const truth = known === undefined ? 0 : angle(known, total)
  return reviews.map(({ reviewer, mark }) => {
    const z = angle(mark, total)
    return {
      reviewer,
      mark,
      z,
      bin: binOf(z),
      exemplar: known !== undefined,
      assignment,
      theta: truth,
      c: 1,
      d: z - truth,
      b: 0,
      a: 1,
      p: 0,
      hint: 0,
    }
  })
}

function settled({ total, known, reviews: given }: Submission, reviews: readonly Review[]): Graded {
  const scale = reviews[0]?.assignment.scale as Scale
  const judged = reviews.map(({ b, a, p }) => ({ strictness: b, weight: a, looked: p }))
  const inputs = given.map(({ mark }, j) => ({ mark, ...(judged[j] as (typeof judged)[number]) }))
  const made = settle({ model: 'SC2', total, ...scale, reviews: inputs }, known !== undefined)
  const { estimate, mark, low, high, open, usualMark } = made
  return { estimate, mark, interval: { low, high, open }, usualMark, scale, judged }
}

const weighed = (reviews: readonly Review[]) =>
  reviews.map((review) => ({ review, value: review.z - review.b, weight: review.a, w: 0 })).toSorted(byValue)

/** Step 1. θ, W = settle(z−b and a of the OTHER reviews);  c = 1/(1 + 1/W);  d = z−θ. */
function hearOthers(reviews: readonly Review[]) {
  if (reviews[0]?.exemplar) return
  const sorted = weighed(reviews)
  sorted.forEach(({ review, value, weight }, at) => {
    const before = sorted[at - 1]
    if (before?.value === value && before.weight === weight) {
      review.theta = before.review.theta // the others are the same
      review.c = before.review.c
    } else {
      const { theta, weights } = average(review.assignment.scale, 3, sorted.toSpliced(at, 1))
      review.theta = theta
      review.c = 1 / (1 + 1 / weights)
    }
    review.d = review.z - review.theta
  })
}

/** Step 2. Strictness b, the probability p of having looked, and weight a, each from the other reviews of the reviewer. */
function judgeReviewers(reviewers: readonly Review[][], looking: Looking) {
  const odds = Math.log((1 - looking.not) / looking.not)
  let unread = 0
  let count = 0
  for (const reviews of reviewers) {
    judgeReviewer(reviews, looking, odds)
    for (const { p } of reviews) unread += onGrid(1 - p)
    count += reviews.length
  }
  const g = reviewers.length
  looking.not = Math.min((4 + (g * unread) / count) / (20 + g), 0.5)
}

function judgeReviewer(reviews: readonly Review[], looking: Looking, odds: number) {
  const n = reviews.length
  let cs = 0
  let cds = 0
  let zs = 0
  for (const { c, d, z } of reviews) {
    cs += onGrid(c)
    cds += onGrid(c * d)
    zs += onGrid(z)
  }
  const all = { hints: 0, cxy: 0, cx: 0, cxx: 0, cee: 0 }
  const records = reviews.map((review) => {
    const { c, d, z, assignment } = review
    const { usual, noise } = assignment.scale
    const others = cs - onGrid(c)
    review.b = clamp((cds - onGrid(c * d)) / (others + 5), -0.4, 0.4)
    review.hint = hint(looking, review, others, n > 1 ? (zs - onGrid(z) + usual) / n : undefined)
    const x = (review.theta - usual) / noise
    const y = (z - usual) / noise
    const e = (d - review.b) / noise
    const record = {
      hints: onGrid(review.hint),
      cxy: onGrid(c * x * y),
      cx: onGrid((c * x) / noise),
      cxx: onGrid(c * x * x),
      cee: onGrid(c * e * e),
    }
    all.hints += record.hints
    all.cxy += record.cxy
    all.cx += record.cx
    all.cxx += record.cxx
    all.cee += record.cee
    return record
  })
  reviews.forEach((review, at) => {
    const own = records[at] as (typeof records)[number]
    review.p = 1 / (1 + Math.exp(-(odds + (all.hints - own.hints))))
    const follows = (4 + (all.cxy - own.cxy) - review.b * (all.cx - own.cx)) / (4 + (all.cxx - own.cxx))
    const exact = (3 + n) / (4 + (all.cee - own.cee))
    review.a = review.p * clamp(follows * Math.sqrt(exact), 0, 2)
  })
}

/** Step 3. μ, s and κ of an assignment. */
function scaleOf(scale: Scale, submissions: readonly Review[][]): Scale {
  const views: { m: number; q: number; h: number }[] = []
  let hs = 0
  let hms = 0
  let ps = 0
  let squares = 0
  for (const reviews of submissions) {
    const { theta, weights } = average(scale, 3, weighed(reviews))
    const q = weights - scale.kappa
    if (q < 0.05) continue
    const m = (theta * weights - scale.kappa * scale.usual) / q
    const h = q / (q + 1)
    views.push({ m, q, h })
    hs += onGrid(h)
    hms += onGrid(h * m)
    for (const { p, c, d, b } of reviews) {
      ps += onGrid(p)
      squares += onGrid(p * c * (d - b) * (d - b))
    }
  }
  const usual = (2 * 1.05 + hms) / (2 + hs)
  const variance = (10 * 0.24 * 0.24 + squares) / (10 + ps)
  let spread = 0
  for (const { m, q, h } of views) spread += onGrid(h * ((m - usual) * (m - usual) - variance / q))
  return { usual, noise: Math.sqrt(variance), kappa: kappaOf(variance, spread, hs) }
}
