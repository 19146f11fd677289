import type { Graded, Judged } from '@/lib/grade-model/class'
import { grade, models, type ModelName } from '@/lib/grade-model/models'
import { markAt } from '@/lib/grade-model/settle'
import type { ClassFile } from './read-class'

export interface LabRow {
  key: string
  assignment: string
  name: string
  reviews: number
  total: number
  known?: number
  marks: Record<ModelName, { estimate: number; mark: number; low?: number; high?: number }>
  /** By SC2 without one reviewer; null if it has no other review. */
  without?: number | null
}

export interface LabReviewer {
  name: string
  reviews: number
  /** By SC2, in parts of a total at the usual mark: below 0 is strict. */
  strictness: number
  weight: number
  looked: number
}

export interface Comparison {
  rows: LabRow[]
  reviewers: LabReviewer[]
  reviews: number
}

/** Grades a class by all models and, if named, by SC2 without one reviewer. */
export function compare({ names, submissions }: ClassFile, without?: string): Comparison {
  const graded = Object.fromEntries(models.map((model) => [model, grade(model, submissions)])) as Record<
    ModelName,
    Graded[]
  >
  const rest = without === undefined ? undefined : gradesWithout(submissions, without)
  const rows = submissions.map(({ assignment, total, known, reviews }, at): LabRow => {
    const marks = Object.fromEntries(
      models.map((model) => {
        const { estimate = NaN, mark = NaN, interval } = graded[model][at] ?? {}
        return [model, { estimate, mark, low: interval?.low, high: interval?.high }]
      }),
    ) as LabRow['marks']
    return {
      key: String(at),
      assignment,
      name: names[at] ?? '',
      reviews: reviews.length,
      total,
      known,
      marks,
      without: rest?.[at],
    }
  })
  return { rows, reviewers: reviewersOf(submissions, graded.SC2), reviews: countOf(submissions) }
}

const countOf = (submissions: ClassFile['submissions']) =>
  submissions.reduce((sum, { reviews }) => sum + reviews.length, 0)

/** The estimates by SC2 without a reviewer, null for a submission without other reviews. */
function gradesWithout(submissions: ClassFile['submissions'], without: string): (number | null)[] {
  const rest = submissions.map((submission) => ({
    ...submission,
    reviews: submission.reviews.filter(({ reviewer }) => reviewer !== without),
  }))
  const made = grade(
    'SC2',
    rest.filter(({ reviews }) => reviews.length > 0),
  )
  let next = 0
  return rest.map(({ reviews }) => (reviews.length > 0 ? (made[next++]?.estimate ?? null) : null))
}

/** The reviewers, least weight first. Their figures are averages over their reviews. */
function reviewersOf(submissions: ClassFile['submissions'], graded: readonly Graded[]): LabReviewer[] {
  const found = new Map<string, LabReviewer>()
  submissions.forEach(({ reviews }, i) => {
    const { judged = [], scale } = graded[i] ?? {}
    reviews.forEach(({ reviewer }, j) => {
      const of = found.get(reviewer) ?? { name: reviewer, reviews: 0, strictness: 0, weight: 0, looked: 0 }
      found.set(reviewer, of)
      const { strictness = 0, weight = 0, looked = 0 } = judged[j] ?? ({} as Partial<Judged>)
      const usual = scale?.usual ?? 0
      of.reviews++
      of.strictness += markAt(usual + strictness, 1) - markAt(usual, 1)
      of.weight += weight
      of.looked += looked
    })
  })
  for (const of of found.values()) {
    of.strictness /= of.reviews
    of.weight /= of.reviews
    of.looked /= of.reviews
  }
  return [...found.values()].toSorted(
    (a, b) => a.weight - b.weight || (a.name < b.name ? -1 : Number(a.name > b.name)),
  )
}

/** A text as a cell of a CSV file that a spreadsheet does not evaluate. */
function cell(text: string): string {
  const safe = /^'*[=+\-@\t]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The comparison as CSV. */
export function csvOf({ rows }: Comparison): string {
  const four = (x: number | undefined) => (x === undefined ? '' : x.toFixed(4))
  const lines = rows.map(({ assignment, name, reviews, marks: { SC2, SC1K, SC1, mean, median } }) =>
    [
      cell(assignment),
      cell(name),
      reviews,
      ...[
        SC2.estimate,
        SC2.low,
        SC2.high,
        ...[SC1K, SC1].flatMap(({ estimate, low, high }) => [estimate, low, high]),
        mean.estimate,
        median.estimate,
      ].map(four),
    ].join(','),
  )
  return `assignment,submission,reviews,SC2,SC2 low80,SC2 high80,SC1K,SC1K low80,SC1K high80,SC1,SC1 low80,SC1 high80,mean,median\n${lines.join('\n')}\n`
}
