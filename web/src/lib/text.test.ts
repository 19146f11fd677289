import { expect, test } from 'vitest'
import { lengthOf, stripBidiControls } from './text'

test('length is counted in code points, as the API counts', () => {
  expect(lengthOf('abc')).toBe(3)
  expect(lengthOf('😀é')).toBe(2)
})

test('bidirectional controls are removed, and nothing else', () => {
  expect(stripBidiControls('An\u202egles \u2067and\u2069 more\u2069\u202d')).toBe('Angles and more')
  expect(stripBidiControls('שלום\u200f 😀')).toBe('שלום\u200f 😀')
})
