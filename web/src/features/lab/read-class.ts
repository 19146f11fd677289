import type { Submission } from '@/lib/grade-model/class'

/** A file's reviews, by submission, with the names that the models do not need. */
export interface ClassFile {
  names: string[]
  submissions: Submission[]
}

/** A class that the lab grades in a moment; grade-model has no such limits. */
export const limits = { bytes: 20_000_000, reviews: 100_000, perSubmission: 500 }

const columns = {
  reviews: 'assignment,submission,reviewer,mark,total',
  known: 'assignment,submission,mark',
}

/** A file that the lab does not read, and why. */
export class FileError extends Error {}

const wrong = (line: number, why: string) => new FileError(`Line ${line}: ${why}`)

/** Reads the files of `studycircle grade-model`, with the same checks. */
export function readClass(reviews: string, known = ''): ClassFile {
  const index = new Map<string, number>()
  const names: string[] = []
  const submissions: (Submission & { reviews: { reviewer: string; mark: number }[] })[] = []
  const reviewers: Map<string, number>[] = []
  let count = 0
  for (const { line, row } of rowsOf(reviews, columns.reviews)) {
    const [assignment = '', name = '', reviewer = '', mark = '', totalText = ''] = row
    const total = numberOf(totalText)
    if (total === null || total < 1 || total > 1e6 || !Number.isInteger(total))
      throw wrong(line, `the total is “${short(totalText)}”; a total is a whole number from 1 to 1000000.`)
    const given = markOf(line, mark, total)
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
        `the total of submission “${short(name)}” is ${total} here and ${submission?.total} above.`,
      )
    if (earlier !== undefined)
      throw wrong(
        line,
        `“${short(reviewer)}” has reviewed submission “${short(name)}” in line ${earlier} already.`,
      )
    reviewers[at]?.set(reviewer, line)
    submission.reviews.push({ reviewer, mark: given })
    if (submission.reviews.length > limits.perSubmission)
      throw wrong(
        line,
        `a submission with more than ${limits.perSubmission} reviews is too much for this page.`,
      )
    if (++count > limits.reviews)
      throw wrong(
        line,
        `this page takes up to ${limits.reviews.toLocaleString('en')} reviews. For more, run studycircle grade-model.`,
      )
  }
  if (count === 0) throw new FileError('The file has no reviews.')
  if (known !== '') {
    for (const { line, row } of rowsOf(known, columns.known)) {
      const [assignment = '', name = '', mark = ''] = row
      const submission = submissions[index.get(JSON.stringify([assignment, name])) ?? -1]
      if (!submission) throw wrong(line, `submission “${short(name)}” has no reviews.`)
      if (submission.known !== undefined)
        throw wrong(line, `submission “${short(name)}” has a known mark already.`)
      submission.known = markOf(line, mark, submission.total)
    }
  }
  return { names, submissions }
}

const short = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text)

function markOf(line: number, text: string, total: number): number {
  const mark = numberOf(text)
  if (mark === null) throw wrong(line, `the mark “${short(text)}” is not a number.`)
  if (mark < 0 || mark > total)
    throw wrong(line, `the mark “${short(text)}” is not from 0 to the total, ${total}.`)
  return mark + 0
}

function numberOf(text: string): number | null {
  const trimmed = text.trim()
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : null
}

interface Row {
  line: number
  row: string[]
}

/** The rows below the header of a CSV text. */
function* rowsOf(text: string, header: string): Generator<Row> {
  const width = header.split(',').length
  let first = true
  for (const { line, row } of cellsOf(text.replace(/^\uFEFF/, ''))) {
    if (first) {
      if (row.join(',') !== header) throw wrong(line, `the first line is not ${header}.`)
      first = false
      continue
    }
    if (row.length !== width) throw wrong(line, `${row.length} columns instead of ${width}: ${header}.`)
    const empty = row.findIndex((cell) => cell === '' || cell.includes('\0'))
    if (empty >= 0)
      throw wrong(
        line,
        row[empty] === ''
          ? `the ${header.split(',')[empty]} is empty.`
          : `the ${header.split(',')[empty]} contains a NUL character.`,
      )
    yield { line, row }
  }
  if (first) throw new FileError(`The file is empty. Its first line is ${header}.`)
}

/** The cells of each line, with quotes as in RFC 4180. Empty lines are left out. */
function* cellsOf(text: string): Generator<Row> {
  const pattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gy
  let line = 1
  let start = 1
  let row: string[] = []
  while (pattern.lastIndex < text.length || row.length > 0) {
    const found = pattern.exec(text)
    if (!found) throw wrong(line, 'a quotation mark is out of place.')
    const [, quoted, plain = '', end = ''] = found
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    for (const character of quoted ?? '') if (character === '\n') line++
    if (end === ',') {
      if (pattern.lastIndex === text.length) row.push('')
      else continue
    }
    if (row.length > 1 || row[0] !== '') yield { line: start, row }
    row = []
    start = ++line
  }
}
