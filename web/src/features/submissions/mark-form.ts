import { t } from '@lingui/core/macro'
import { z } from '@/lib/zod'
import { placed, sumOf } from '@/entities/rubric/rubric'
import { optionalText, wholeNumber } from '@/lib/rules'
import { lengthOf } from '@/lib/text'
import { composeFeedback } from './compose-feedback'
import type { CorrectableReview, Rubric } from '@/entities/submission/queries'

export interface MarkForm {
  marks: string
  /** Of a rubric: the level of each criterion, counted from 0, as radio buttons have it. */
  levels: (string | null | undefined)[]
  /** Of a rubric: the comment on each criterion. */
  comments: (string | undefined)[]
  feedback: string
}

export const emptyMark: MarkForm = { marks: '', levels: [], comments: [], feedback: '' }

/** A review as the form shows it again. Its comments on criteria have become part of its feedback. */
export const givenMark = ({ mark, levels = [], feedback = '' }: CorrectableReview): MarkForm => ({
  ...emptyMark,
  marks: String(mark),
  levels: levels.map(String),
  feedback,
})

const longestFeedback = 5000

/** A level of each criterion where there is a rubric; else a mark. */
export const markSchema = (
  total: number | undefined,
  rubric: Rubric | undefined,
): z.ZodMiniType<MarkForm, MarkForm> =>
  z
    .object({
      marks: rubric ? z.string() : wholeNumber(0, total ?? Infinity),
      levels: z.array(z.nullish(z.string())),
      comments: z.array(z.optional(z.string())),
      feedback: optionalText(longestFeedback),
    })
    .check((form) => {
      if (!rubric) return
      const { levels } = form.value
      for (const { index: at } of placed(rubric.criteria)) {
        if (levels[at]) continue
        form.issues.push({ code: 'custom', message: t`Choose a level.`, input: levels, path: ['levels', at] })
      }
      if (lengthOf(feedbackOf(form.value, rubric)) > longestFeedback) {
        form.issues.push({
          code: 'custom',
          message: t`At most ${{ most: longestFeedback.toLocaleString('en') }} characters, together with the comments.`,
          input: form.value.feedback,
          path: ['feedback'],
        })
      }
    })

/** The feedback that is sent. */
export const feedbackOf = ({ comments, feedback }: MarkForm, rubric: Rubric | undefined): string =>
  composeFeedback(rubric?.criteria ?? [], comments, feedback)

/** The mark that is typed or chosen; undefined while it is incomplete or out of bounds. */
export function markOf(
  { marks, levels }: MarkForm,
  total: number | undefined,
  rubric: Rubric | undefined,
): number | undefined {
  if (rubric) return rubric.criteria.every((_, at) => levels[at]) ? sumOf(rubric, levels) : undefined
  const isMark = /^\d+$/.test(marks.trim()) && Number(marks) <= (total ?? Infinity)
  return isMark ? Number(marks) : undefined
}
