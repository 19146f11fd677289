import { expect, test } from 'vitest'
import cases from '../../../../internal/csvfile/testdata/tables.json'
import { readClass } from './read-class'
import { numberOf, openTable, TableError } from './table'

/** The bytes of a text. Those of 'bytes' are its code points. */
function bytesOf(text: string, as: string): Uint8Array {
  if (as === 'utf8') return new TextEncoder().encode(text)
  if (as === 'bytes') return Uint8Array.from(text, (character) => character.charCodeAt(0))
  const bytes = new Uint8Array(2 * text.length)
  const view = new DataView(bytes.buffer)
  for (let at = 0; at < text.length; at++) view.setUint16(2 * at, text.charCodeAt(at), as === 'utf16le')
  return bytes
}

function readAll(bytes: Uint8Array) {
  const { headings, line, separator, rows, check } = openTable(bytes)
  const all: (string | number)[][] = [[line, ...headings]]
  for (const row of rows()) {
    check(row)
    all.push([row.line, ...row.cells])
  }
  return { rows: all, separator }
}

test.each(cases.tables.map((one) => [one.name, one] as const))('%s', (_, { text, as, ...want }) => {
  const bytes = bytesOf(text, as)
  if ('error' in want && want.error) {
    const { line, text: why } = want.error
    let found: unknown
    try {
      readAll(bytes)
    } catch (error) {
      found = error
    }
    expect(found).toBeInstanceOf(TableError)
    expect((found as TableError).why).toContain(why)
    expect((found as TableError).line).toBe(line)
    return
  }
  expect(readAll(bytes)).toEqual({ rows: want.rows, separator: want.separator })
})

test('numbers with decimal commas and points', () => {
  for (const [text, separator, want] of cases.numbers) {
    const got = numberOf(String(text), String(separator))
    if (want === null) expect(typeof got, String(text)).toBe('string')
    else expect(got, String(text)).toBe(want)
  }
})

test('a table of 100,000 columns is refused', () => {
  expect(() => readAll(new TextEncoder().encode('a,'.repeat(100_000)))).toThrow(/at most 2000 columns/)
})

test('a class is read as a German Excel writes it, with columns in any order', () => {
  const text = 'total;mark;reviewer;submission;assignment;note\r\n20;17,5;J\u00fcrgen;s1;A;x\r\n'
  expect(readClass(bytesOf(text, 'bytes'))).toEqual({
    names: ['s1'],
    submissions: [{ assignment: 'A', total: 20, reviews: [{ reviewer: 'Jürgen', mark: 17.5 }] }],
  })
  for (const [file, why] of [
    ['assignment,submission,reviewer,mark\n', 'no column is named total'],
    [
      'assignment,submission,reviewer,mark,total\nA,s1,u1,"1,000",2000\n',
      'may have decimals or be above 999',
    ],
    ['', 'The file is empty.'],
    ['PK\u0003\u0004', 'a workbook of Excel'],
  ] as const)
    expect(() => readClass(new TextEncoder().encode(file))).toThrow(why)
})
