import type { Graded, Submission } from './class'
import { isPlain, settlePlainly } from './plain'
import { gradeBySC1 } from './sc1'
import { gradeBySC2 } from './sc2'

export const models = ['SC2', 'SC1K', 'SC1', 'mean', 'median'] as const
export type ModelName = (typeof models)[number]

/** Grades a class, as internal/grademodel does. */
export function grade(model: ModelName, submissions: readonly Submission[]): Graded[] {
  if (isPlain(model))
    return submissions.map(({ reviews }) =>
      settlePlainly(
        model,
        reviews.map(({ mark }) => mark),
      ),
    )
  return model === 'SC2' ? gradeBySC2(submissions) : gradeBySC1(model, submissions)
}
