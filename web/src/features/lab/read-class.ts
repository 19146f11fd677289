import { t } from '@lingui/core/macro'
import type { Submission } from '@/lib/grade-model/class'
import { fold, numberOf, openTable, TableError, trim } from './table'

/** A file's reviews, by submission, with the names that the models do not need. */
export interface ClassFile {
  names: string[]
  submissions: Submission[]
}

/** A class that the lab grades in a moment; grade-model has no such limits. */
export const limits = { bytes: 20_000_000, reviews: 100_000, perSubmission: 500 }

const columns = {
  reviews: ['assignment', 'submission', 'reviewer', 'mark', 'total'],
  known: ['assignment', 'submission', 'mark'],
}

/** A file that the lab does not read, and why. */
export class FileError extends Error {}

const wrong = (line: number, why: string) => new FileError(t`Line ${line}: ${why}`)

/** Reads the files of `studycircle grade-model`, with the same checks. */
export function readClass(reviews: Uint8Array, known?: Uint8Array): ClassFile {
  const index = new Map<string, number>()
  const names: string[] = []
  const submissions: (Submission & { reviews: { reviewer: string; mark: number }[] })[] = []
  const reviewers: Map<string, number>[] = []
  let count = 0
  for (const { line, row, separator } of rowsOf(reviews, columns.reviews)) {
    const [assignment = '', name = '', reviewer = '', mark = '', totalText = ''] = row
    const total = numberOf(totalText, separator)
    if (typeof total === 'string' || total < 1 || total > 1e6 || !Number.isInteger(total))
      throw wrong(
        line,
        t`the total is “${{ total: short(totalText) }}”; a total is a whole number from 1 to 1000000.`,
      )
    const given = markOf(line, mark, total, separator)
    const key = JSON.stringify([assignment, name])
    let at = index.get(key)
    if (at === undefined) {
      at = submissions.length
      index.set(key, at)
      names.push(name)
      submissions.push({ assignment, total, reviews: [] })
      reviewers.push(new Map())
    }
    const submission = submissions[at]
    const earlier = reviewers[at]?.get(reviewer)
    if (submission?.total !== total)
      throw wrong(
        line,
        t`the total of submission “${{ name: short(name) }}” is ${total} here and ${{ above: submission?.total ?? '' }} above.`,
      )
    if (earlier !== undefined)
      throw wrong(
        line,
        t`“${{ reviewer: short(reviewer) }}” has reviewed submission “${{ name: short(name) }}” in line ${earlier} already.`,
      )
    reviewers[at]?.set(reviewer, line)
    submission.reviews.push({ reviewer, mark: given })
    if (submission.reviews.length > limits.perSubmission)
      throw wrong(
        line,
        t`a submission with more than ${{ most: limits.perSubmission }} reviews is too much for this page.`,
      )
    if (++count > limits.reviews)
      throw wrong(
        line,
        t`this page takes up to ${{ most: limits.reviews.toLocaleString('en') }} reviews. For more, run studycircle grade-model.`,
      )
  }
  if (count === 0) throw new FileError(t`The file has no reviews.`)
  if (known) {
    for (const { line, row, separator } of rowsOf(known, columns.known)) {
      const [assignment = '', name = '', mark = ''] = row
      const submission = submissions[index.get(JSON.stringify([assignment, name])) ?? -1]
      if (!submission) throw wrong(line, t`submission “${{ name: short(name) }}” has no reviews.`)
      if (submission.known !== undefined)
        throw wrong(line, t`submission “${{ name: short(name) }}” has a known mark already.`)
      submission.known = markOf(line, mark, submission.total, separator)
    }
  }
  return { names, submissions }
}

const short = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text)

function markOf(line: number, text: string, total: number, separator: string): number {
  const mark = numberOf(text, separator)
  if (typeof mark === 'string') throw wrong(line, t`the mark “${{ text: short(text) }}” ${{ why: mark }}.`)
  if (mark < 0 || mark > total)
    throw wrong(line, t`the mark “${{ text: short(text) }}” is not from 0 to the total, ${total}.`)
  return mark + 0
}

interface ReadRow {
  line: number
  row: string[]
  separator: string
}

/** The cells of some columns, below the headings of a file. */
function* rowsOf(file: Uint8Array, names: readonly string[]): Generator<ReadRow> {
  try {
    yield* cellsOf(file, names)
  } catch (error) {
    if (!(error instanceof TableError)) throw error
    if (error.why === 'there is nothing')
      throw new FileError(t`The file is empty. Its first line is ${{ columns: names.join(',') }}.`)
    throw wrong(error.line, error.why.endsWith('.') ? error.why : `${error.why}.`)
  }
}

function* cellsOf(file: Uint8Array, names: readonly string[]): Generator<ReadRow> {
  const { headings, line: first, separator, rows, check } = openTable(file)
  const folded = headings.map(fold)
  const at = names.map((name) => folded.indexOf(name))
  const missing = names.find(
    (name) => folded.indexOf(name) !== folded.lastIndexOf(name) || !folded.includes(name),
  )
  if (missing !== undefined)
    throw wrong(
      first,
      t`the first line is not ${{ columns: names.join(',') }}: no column is named ${missing}.`,
    )
  for (const { line, cells } of rows()) {
    if (cells.length < headings.length || cells.slice(headings.length).some((cell) => trim(cell) !== ''))
      throw wrong(
        line,
        t`${{ count: cells.length }} columns instead of ${{ wanted: headings.length }}: ${{ columns: headings.join(',') }}.`,
      )
    check({ line, cells }, at)
    const row = at.map((from) => cells[from] ?? '')
    const empty = row.findIndex((cell) => cell === '' || cell.includes('\0'))
    const column = names[empty]
    if (column !== undefined)
      throw wrong(
        line,
        row[empty] === '' ? t`the ${column} is empty.` : t`the ${column} contains a NUL character.`,
      )
    yield { line, row, separator }
  }
}
