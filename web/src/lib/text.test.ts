import { expect, test } from 'vitest'
import { lengthOf, stripBidiControls, trimmed } from './text'

test('length is counted in code points, as the API counts', () => {
  expect(lengthOf('abc')).toBe(3)
  expect(lengthOf('😀é')).toBe(2)
})

test('bidirectional controls are removed, and nothing else', () => {
  expect(stripBidiControls('An\u202egles \u2067and\u2069 more\u2069\u202d')).toBe('Angles and more')
  expect(stripBidiControls('שלום\u200f 😀')).toBe('שלום\u200f 😀')
})

test('several lines keep the blanks that the first one begins with', () => {
  expect(trimmed('  one \n')).toBe('one')
  expect(trimmed('\n \n    if x:\n        return\n')).toBe('    if x:\n        return')
  expect(trimmed(' \n ')).toBe('')
})
