import type { Graded, Submission } from './class'
import { gradeBySC1 } from './sc1'
import { gradeBySC2 } from './sc2'

export const models = ['SC2', 'SC1', 'mean', 'median'] as const
export type ModelName = (typeof models)[number]

/** Grades a class, as internal/grademodel does. */
export function grade(model: ModelName, submissions: readonly Submission[]): Graded[] {
  if (model === 'SC2') return gradeBySC2(submissions)
  if (model === 'SC1') return gradeBySC1(submissions)
  const middle = model === 'mean' ? mean : median
  return submissions.map(({ reviews }) => {
    const estimate = middle(reviews.map(({ mark }) => mark).toSorted((a, b) => a - b))
    return { estimate, mark: Math.floor(estimate + 0.5) }
  })
}

const mean = (sorted: readonly number[]) => sorted.reduce((sum, mark) => sum + mark, 0) / sorted.length

const at = (sorted: readonly number[], index: number) => sorted[Math.floor(index)] ?? NaN
const median = (sorted: readonly number[]) =>
  (at(sorted, (sorted.length - 1) / 2) + at(sorted, sorted.length / 2)) / 2
