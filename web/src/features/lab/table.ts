import { t } from '@lingui/core/macro'

/** Reads tables as spreadsheets write them, by the rules of the server's package csvfile: tables.json has cases for both. */

/** A file or a line that is not read, and why. */
export class TableError extends Error {
  readonly line: number
  readonly why: string

  constructor(line: number, why: string) {
    super(t`Line ${line}: ${why}`)
    this.line = line
    this.why = why
  }
}

interface Row {
  line: number
  cells: string[]
}

export interface Table {
  headings: string[]
  /** Where they are, from 1. */
  line: number
  separator: string
  rows: () => Generator<Row>
  /** Fails if cells were lost, or are not in the encoding in which the file was read. */
  check: (row: Row, columns?: readonly number[]) => void
}

const saveAs = () => t`Save it as “CSV UTF-8” and choose it again.`
const unknownEncoding = () =>
  `${t`The letters of this line are in an encoding that is not read here.`} ${saveAs()}`

const maxColumns = 2_000

/** Files that are no tables, by their first bytes in lower case. */
function formatOf(head: string): string | undefined {
  if (head.startsWith('pk\u0003\u0004'))
    return `${t`This is a workbook of Excel, Numbers or LibreOffice, not a CSV file.`} ${saveAs()}`
  if (head.startsWith('\u00d0\u00cf\u0011\u00e0') || head.startsWith('\u00f0\u00ef\u0011\u00e0'))
    return `${t`This is a workbook of an older Excel, not a CSV file.`} ${saveAs()}`
  const text = head.replace(/^[\u00ef\u00bb\u00bf\s]+/, '')
  if (text.startsWith('%pdf')) return t`This is a PDF document, not a CSV file.`
  if (/^<(html|table|!doctype)/.test(text))
    return t`This is a web page, not a CSV file. Open it in a spreadsheet and save it as “CSV UTF-8”.`
  if (text.startsWith('<?xml'))
    return t`This is an XML document, not a CSV file. Open it in a spreadsheet and save it as “CSV UTF-8”.`
  return undefined
}

interface Decoded {
  text: string
  isWindows: boolean
  /** Fails once all lines are read. */
  end: () => void
}

/** The text of a file in UTF-8, in UTF-16 with a byte order mark, or in Windows-1252. */
function decode(bytes: Uint8Array): Decoded {
  const begins = (...mark: number[]) => mark.every((byte, at) => bytes[at] === byte)
  const head = String.fromCharCode(...bytes.subarray(0, 512)).toLowerCase()
  const format = formatOf(head)
  if (format) throw new TableError(1, format)
  const plain = { isWindows: false, end: () => undefined }
  if (begins(0xff, 0xfe)) return { ...plain, text: new TextDecoder('utf-16le').decode(bytes) }
  if (begins(0xfe, 0xff)) return { ...plain, text: new TextDecoder('utf-16be').decode(bytes) }
  const as = encodingOf(bytes, begins(0xef, 0xbb, 0xbf))
  if (as.isWindows) return { ...as, text: new TextDecoder('windows-1252').decode(bytes) }
  return { ...plain, text: new TextDecoder('utf-8').decode(bytes) }
}

const continues = (byte: number | undefined) => byte !== undefined && byte >= 0x80 && byte < 0xc0

/** The length of the character that begins at a byte above 0x7f, 0 if it is not UTF-8. */
function lengthAt(bytes: Uint8Array, at: number): number {
  const [first = 0, second = 0] = bytes.subarray(at, at + 2)
  let length = 0
  if (first >= 0xc2 && first < 0xe0) length = 2
  else if (first >= 0xe0 && first < 0xf0) length = 3
  else if (first >= 0xf0 && first < 0xf5) length = 4
  const [from, to] =
    { 0xe0: [0xa0, 0xbf], 0xed: [0x80, 0x9f], 0xf0: [0x90, 0xbf], 0xf4: [0x80, 0x8f] }[first] ?? []
  if (from !== undefined && to !== undefined && (second < from || second > to)) return 0
  for (let i = 1; i < length; i++) if (!continues(bytes[at + i])) return 0
  return length
}

function encodingOf(bytes: Uint8Array, marked: boolean): { isWindows: boolean; end: () => void } {
  let line = 1
  let isUTF8 = marked
  let isWindows = false
  let low = 0
  let hasHigh = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte < 0x80) {
      if (byte === 0x0d || (byte === 0x0a && bytes[at - 1] !== 0x0d)) line++
      continue
    }
    const length = lengthAt(bytes, at)
    if (length > 0 && !isWindows) {
      isUTF8 = true
      at += length - 1
      continue
    }
    if (isUTF8)
      throw new TableError(line, `${t`This line is not in UTF-8, as the text before it is.`} ${saveAs()}`)
    if (length > 0 && (byte === 0xc2 || byte === 0xc3))
      throw new TableError(line, `${t`This line is in UTF-8, and the text before it is not.`} ${saveAs()}`)
    isWindows = true
    if ([0x81, 0x8d, 0x8f, 0x90, 0x9d].includes(byte)) throw new TableError(line, unknownEncoding())
    if ([0x83, 0x8a, 0x8c, 0x8e, 0x9a, 0x9c, 0x9e, 0x9f].includes(byte)) low ||= line
    hasHigh ||= byte >= 0xc0
  }
  return {
    isWindows,
    end() {
      if (isWindows && low > 0 && !hasHigh) throw new TableError(low, unknownEncoding())
    },
  }
}

const implausible =
  /\p{L}[¡-©«¬®-³¶¸¹»-¿×÷†‡ˆ˜‰€‚„•‹›“”]\p{L}|[£¥¤¦³¹¼¾]\p{L}|\p{L}{3}[³¹¿¼¾£¥]|\p{Ll}[ŠŒŽŸÐÞ]|\p{L}[ŠŒŽŸ]\p{Ll}/u
const foreign = /[À-ÖØ-öø-ÿŠŒŽŸšœžƒ]{4,}/gu
const umlauts = /^[äöüßÄÖÜåÅ]+$/u

function checkCell(line: number, cell: string, isWindows: boolean) {
  if (cell.includes('\uFFFD'))
    throw new TableError(
      line,
      t`A character of this line was lost when the file was saved or cut off. Save or download it again.`,
    )
  if (!isWindows) return
  if (implausible.test(cell) || cell.match(foreign)?.some((run) => !umlauts.test(run)))
    throw new TableError(
      line,
      `${t`“${cell}” does not look right: the file is in an encoding that is not read here.`} ${saveAs()}`,
    )
}

const unseen = String.raw`[\s\p{Cf}\u034F\u115F\u1160\u2800\u3164\uFFA0]`
const around = new RegExp(`^${unseen}+|${unseen}+$`, 'gu')

/** A cell without what is not seen around it. */
export const trim = (cell: string) => cell.replaceAll(around, '')

/** A heading as headings are compared. */
export const fold = (heading: string) =>
  heading
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{Nd}]/gu, '')
    .toLowerCase()

/** Reads a file up to its headings, the first line with any text. */
export function openTable(bytes: Uint8Array): Table {
  const { text: whole, isWindows, end } = decode(bytes)
  const all = whole.replace(/^\uFEFF+/, '').replaceAll(/\r\n?/g, '\n')
  const named = /^"?sep=([,;\t])"?\n/i.exec(all)?.[1]
  const before = named === undefined ? 0 : 1
  const separator = named ?? separatorOf(all)
  const text = named === undefined ? all : all.slice(all.indexOf('\n') + 1)
  function* rows(): Generator<Row> {
    for (const { line, cells } of cellsOf(text, separator)) {
      if (cells.length > maxColumns)
        throw new TableError(
          line + before,
          t`a table has at most ${{ most: maxColumns }} columns; this line has ${{ count: cells.length }}`,
        )
      if (cells.some((cell) => trim(cell) !== '')) yield { line: line + before, cells }
    }
    end()
  }
  const reading = rows()
  const first = reading.next()
  if (first.done) throw new TableError(1, 'there is nothing')
  const check: Table['check'] = ({ line, cells }, columns) => {
    cells.forEach((cell, at) => {
      if (!columns || columns.includes(at)) checkCell(line, cell, isWindows)
    })
  }
  check(first.value)
  return {
    headings: first.value.cells.map(trim),
    line: first.value.line,
    separator,
    rows: () => reading,
    check,
  }
}

/** The separator of which the first line with any text has most, outside of quotation marks. */
function separatorOf(text: string): string {
  for (const line of linesOf(text)) {
    const plain = line.replaceAll(/"[^"]*"/g, '""')
    if (trim(plain.replaceAll(/[,;\t]/g, '')) === '') continue
    const count = (separator: string) => plain.split(separator).length
    return [';', '\t'].reduce((most, other) => (count(other) > count(most) ? other : most), ',')
  }
  return ','
}

/** The lines at the beginning of a text, of which those in quotation marks are one. */
const linesOf = (text: string) => text.slice(0, 65_536).match(/(?:"[^"]*(?:"|$)|[^"\n])+/g) ?? []

/** The cells of each line, with quotes as in RFC 4180. Empty lines are left out. */
function* cellsOf(text: string, separator: string): Generator<Row> {
  const pattern = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${separator}\\n]*))(${separator}|\\n|$)`, 'gy')
  let line = 1
  let start = 1
  let cells: string[] = []
  while (pattern.lastIndex < text.length || cells.length > 0) {
    const found = pattern.exec(text)
    if (!found) throw new TableError(start, t`a quotation mark (") is out of place.`)
    const [, quoted, plain = '', after = ''] = found
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    for (const character of quoted ?? '') if (character === '\n') line++
    if (after === separator) {
      if (pattern.lastIndex === text.length) cells.push('')
      else continue
    }
    if (cells.length > 1 || cells[0] !== '') yield { line: start, cells }
    cells = []
    start = ++line
  }
}

/** A decimal number; or why a text is none, after the text. */
export function numberOf(text: string, separator: string): number | string {
  const trimmed = trim(text)
  if (!/^[+-]?(\d+[.,]?\d*|[.,]\d+)(e[+-]?\d+)?$/i.test(trimmed)) return t`is not a number`
  if (/^[+-]?[1-9]\d{0,2}[.,]\d{3}$/.test(trimmed) && (trimmed.includes(',') || separator === ';'))
    return t`may have decimals or be above 999: write it without a separator`
  return Number(trimmed.replace(',', '.')) + 0
}
