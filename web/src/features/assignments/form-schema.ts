import { t } from '@lingui/core/macro'
import { addDays, dayOfDate, daysBetween, endOfDay, formatDay, calendarDayOf, parseDay } from '@/lib/dates'
import { once } from '@/lib/once'
import type { z } from '@/lib/zod'
import type { Assignment, AssignmentInput } from '@/entities/assignment/queries'

/** The form's rules are the API's: a user learns of a fault before sending. */
export async function fetchAssignmentSchema() {
  const { listOf, objectOf, oneOf, requiredText, textThat, webAddress, wholeNumber } =
    await import('@/lib/rules')
  return objectOf({
    title: requiredText(200, () => t`Give it a title.`),
    description: requiredText(10_000, () => t`Say what there is to do.`),
    marks: wholeNumber(1, 1000),
    thumbnail: webAddress(
      () => t`The thumbnail must be a full web address that starts with http:// or https://.`,
    ),
    level: oneOf(['easy', 'medium', 'hard']),
    dueDate: textThat(
      (value) => parseDay(value) !== null,
      () => t`A day like 2026/12/01.`,
    ),
    lateLinks: oneOf(['no', 'yes']),
    reviewsNeeded: oneOf(['1', '2', '3', '4', '5']),
    markBy: oneOf(['model', 'average', 'median']),
    reviewsOwed: textThat(
      (value) => value === '' || isOwed(value),
      () => t`A whole number from 1 to 20.`,
    ),
    reviewDueDate: textThat(
      (value) => value === '' || parseDay(value) !== null,
      () => t`A day like 2026/12/01.`,
    ),
    rubric: objectOf({
      criteria: listOf(
        objectOf({
          title: requiredText(200, () => t`Say what to look at.`),
          levels: listOf(
            objectOf({ label: requiredText(200, () => t`Name this level.`), marks: wholeNumber(0, 1000) }),
          ),
        }),
      ),
    }),
  })
}

const isOwed = (value: string) => /^\d+$/.test(value) && Number(value) >= 1 && Number(value) <= 20

export type AssignmentFormValues = z.infer<Awaited<ReturnType<typeof fetchAssignmentSchema>>>

/** The name of each field in messages. */
export const labels: Record<keyof AssignmentFormValues, () => string> = {
  title: () => t`Title`,
  description: () => t`Description`,
  marks: () => t`Marks`,
  thumbnail: () => t`Thumbnail`,
  level: () => t`Level`,
  dueDate: () => t`Due date`,
  lateLinks: () => t`Changed links`,
  reviewsNeeded: () => t`Reviews needed`,
  markBy: () => t`Mark by`,
  reviewsOwed: () => t`Reviews owed`,
  reviewDueDate: () => t`Review due date`,
  rubric: () => t`Rubric`,
}

export const fields = Object.keys(labels) as (keyof AssignmentFormValues)[]

export function valuesOf(assignment: Assignment): AssignmentFormValues {
  const day = calendarDayOf(assignment.dueDate)
  const reviewDay = assignment.reviewDueDate ? calendarDayOf(assignment.reviewDueDate) : null
  const { reviewsNeeded, reviewsOwed } = assignment
  return {
    title: assignment.title,
    description: assignment.description,
    marks: String(assignment.marks),
    thumbnail: assignment.thumbnail,
    level: assignment.level,
    dueDate: day ? formatDay(day) : '',
    lateLinks: assignment.lateLinks ? 'yes' : 'no',
    reviewsNeeded: String(reviewsNeeded ?? 1) as AssignmentFormValues['reviewsNeeded'],
    markBy: assignment.markBy ?? 'model',
    reviewsOwed: reviewsOwed && reviewsOwed !== reviewsNeeded ? String(reviewsOwed) : '',
    reviewDueDate: reviewDay ? formatDay(reviewDay) : '',
    rubric: {
      criteria: (assignment.rubric?.criteria ?? []).map(({ title, levels }) => ({
        title,
        levels: levels.map(({ label, marks }) => ({ label, marks: String(marks) })),
      })),
    },
  }
}

/**
 * The form without what does not apply: a rubric, a duty to review and a way to the mark need
 * several reviews.
 */
export function counted(form: AssignmentFormValues): AssignmentFormValues {
  const { reviewsNeeded, rubric } = form
  const several = reviewsNeeded !== '1'
  // A field has a value once its code is there.
  return {
    ...form,
    lateLinks: form.lateLinks || 'no',
    markBy: (several && form.markBy) || 'model',
    rubric: several && rubric ? rubric : { criteria: [] },
    reviewsOwed: (several && form.reviewsOwed) || '',
    reviewDueDate: (several && form.reviewDueDate) || '',
  }
}

/** The change of what submitters owe, of an assignment with several reviews; nothing where it stays. */
function dutyOf(form: AssignmentFormValues, before?: Assignment) {
  const was = before ? valuesOf(before) : { reviewsOwed: '', reviewDueDate: '' }
  const day = parseDay(form.reviewDueDate)
  return {
    ...(form.reviewsOwed !== was.reviewsOwed && {
      reviewsOwed: Number(form.reviewsOwed || form.reviewsNeeded),
    }),
    ...(form.reviewDueDate !== was.reviewDueDate && { reviewDueDate: day ? endOfDay(day) : '' }),
  }
}

/** Whether two values of a field say the same. */
export const isSame = (one: unknown, other: unknown) =>
  one === other || JSON.stringify(one) === JSON.stringify(other)

/** The rubric with its marks as numbers, 0 where a text is not one. */
export const rubricOf = ({ criteria }: AssignmentFormValues['rubric']) => ({
  criteria: criteria.map(({ title, levels }) => ({
    title,
    levels: levels.map(({ label, marks }) => ({ label, marks: Number(marks) || 0 })),
  })),
})

/** The API's input. An unchanged due date is sent as it came, whatever its time zone. */
export function inputOf(form: AssignmentFormValues, before?: Assignment): AssignmentInput {
  const untouched = before && valuesOf(before).dueDate === form.dueDate
  const day = parseDay(form.dueDate)
  const reviewsNeeded = Number(form.reviewsNeeded)
  const { rubric } = form
  const rubricChanged = !isSame(rubric.criteria, before ? valuesOf(before).rubric.criteria : [])
  return {
    // They are fixed once something was handed in: only a change of them is sent.
    ...(reviewsNeeded !== (before?.reviewsNeeded ?? 1) && { reviewsNeeded }),
    ...(form.lateLinks !== (before?.lateLinks ? 'yes' : 'no') && { lateLinks: form.lateLinks === 'yes' }),
    ...(form.markBy !== (before?.markBy ?? 'model') && { markBy: form.markBy }),
    ...(reviewsNeeded > 1 && dutyOf(form, before)),
    ...(rubricChanged && { rubric: rubric.criteria.length > 0 ? rubricOf(rubric) : null }),
    title: form.title,
    description: form.description,
    marks: Number(form.marks),
    thumbnail: form.thumbnail,
    level: form.level,
    dueDate: untouched ? before.dueDate : day ? endOfDay(day) : '',
  }
}

const ownZone = once(() => new Intl.DateTimeFormat('en').resolvedOptions().timeZone.replaceAll('_', ' '))

/**
 * The time of day at which an assignment is due, with its time zone: '23:59, Europe/Berlin'. An unchanged due date
 * keeps the time that it came with.
 */
export function dueTime(dueDate: string, before?: Assignment): string {
  const kept = before && valuesOf(before).dueDate === dueDate ? before.dueDate : ''
  const day = parseDay(dueDate)
  const [, time, offset = ''] = /T(\d\d:\d\d).*(Z|[+-]\d\d:\d\d)$/.exec(kept) ?? []
  const isOwn = !day || Date.parse(kept) === Date.parse(endOfDay(day))
  return time && !isOwn ? `${time}, UTC${offset.replace('Z', '')}` : `23:59, ${ownZone()}`
}

/** Whether the API would take that day: from today on, or the day the assignment already has. */
export function isPastDay(dueDate: string, before?: Assignment): boolean {
  const day = parseDay(dueDate)
  if (!day || (before && valuesOf(before).dueDate === formatDay(day))) return false
  return daysBetween(dayOfDate(new Date()), day) < 0
}

/** The day `step` days after the typed one, today at the earliest; today where none is typed. */
export function stepDay(dueDate: string, step: number): string {
  const today = dayOfDate(new Date())
  const day = parseDay(dueDate)
  const next = day ? addDays(day, step) : today
  return formatDay(daysBetween(today, next) < 0 ? today : next)
}
