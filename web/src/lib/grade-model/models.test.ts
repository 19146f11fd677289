import { expect, test } from 'vitest'
import classes from '../../../../internal/grademodel/testdata/classes.txt?raw'
import golden1 from '../../../../internal/grademodel/testdata/golden1.csv?raw'
import marks1 from '../../../../internal/grademodel/testdata/golden1.sc2.csv?raw'
import golden2 from '../../../../internal/grademodel/testdata/golden2.csv?raw'
import marks2 from '../../../../internal/grademodel/testdata/golden2.sc2.csv?raw'
import type { Submission } from './class'
import { grade, type ModelName } from './models'

const linesOf = (text: string) => text.trim().split('\n')

/** The rows of a class as shared_test.go and the files of golden classes have them. */
const numbers = (model: ModelName, submissions: readonly Submission[]) =>
  grade(model, submissions).map(({ estimate, mark, interval, usualMark, scale }) => ({
    mark,
    digits: [
      estimate,
      interval?.low,
      interval?.high,
      interval?.open,
      usualMark,
      scale?.noise,
      scale?.kappa,
    ].map((x) => x?.toFixed(4)),
  }))

test.each([
  ['without an exemplar', golden1, marks1, undefined],
  ['with an exemplar', golden2, marks2, 12],
])('a class %s gets the marks of the golden file', (_, class_, marks, known) => {
  const submissions = new Map<string, Submission & { reviews: { reviewer: string; mark: number }[] }>()
  for (const line of linesOf(class_).slice(1)) {
    const [assignment = '', submission = '', reviewer = '', mark, total] = line.split(',')
    const found = submissions.get(submission) ?? {
      assignment,
      total: Number(total),
      known: submission === 's1' ? known : undefined,
      reviews: [],
    }
    submissions.set(submission, found)
    found.reviews.push({ reviewer, mark: Number(mark) })
  }
  const want = linesOf(marks).slice(1)
  const rows = numbers('SC2', [...submissions.values()]).map(
    ({ mark, digits: [estimate, ...rest] }) => `${estimate},${mark},${rest.join(',')}`,
  )
  expect(rows).toEqual(want.map((line) => line.split(',').slice(3).join(',')))
})

/** FNV-1a of 32 bits. */
function checksum(text: string): string {
  let sum = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) sum = Math.imul(sum ^ byte, 0x01000193)
  return (sum >>> 0).toString(16).padStart(8, '0')
}

test('thousands of classes get the marks of internal/grademodel to the last digit', () => {
  const lines = linesOf(classes)
  expect(lines.length).toBeGreaterThan(2000)
  const wrong: string[] = []
  for (const line of lines) {
    const [total, ...words] = line.split(' ')
    const sum = words.pop()
    const submissions = words.map((word): Submission => {
      const [reviews = '', known] = word.split('=').toReversed()
      return {
        assignment: 'A',
        total: Number(total),
        known: known === undefined ? undefined : Number(known),
        reviews: reviews.split(',').map((review) => {
          const [reviewer = '', mark] = review.split(':')
          return { reviewer, mark: Number(mark) }
        }),
      }
    })
    const rows = (['SC2', 'SC1K', 'SC1'] as const).flatMap((model) => numbers(model, submissions))
    const text = rows.map(({ mark, digits }) => `${mark},${digits.join(',')}\n`).join('')
    if (checksum(text) !== sum) wrong.push(line)
  }
  expect(wrong).toEqual([])
})

test('mean and median are those of the marks', () => {
  const reviews = [20, 4, 17, 18].map((mark, at) => ({ reviewer: `u${at}`, mark }))
  const one = [{ assignment: 'A', total: 20, reviews }]
  expect(grade('mean', one)).toEqual([{ estimate: 14.75, mark: 15 }])
  expect(grade('median', one)).toEqual([{ estimate: 17.5, mark: 18 }])
})
