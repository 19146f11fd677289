import { expect, test } from 'vitest'
import { isWebAddress, lengthOf, stripBidiControls } from './text'

test('length is counted in code points, as the API counts', () => {
  expect(lengthOf('abc')).toBe(3)
  expect(lengthOf('😀é')).toBe(2)
})

test('what turns the direction of text is taken out, and nothing else', () => {
  expect(stripBidiControls('An\u202egles \u2067and\u2069 more\u2069\u202d')).toBe('Angles and more')
  expect(stripBidiControls('שלום\u200f 😀')).toBe('שלום\u200f 😀')
})

test.each(['https://docs.google.com/document/d/1', 'http://example.org', 'HTTPS://example.org/a?b=c#d'])(
  '%s is a web address',
  (text) => expect(isWebAddress(text)).toBe(true),
)

test.each([
  'docs.google.com',
  '//evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  'https:example.org',
  'https://user@example.org',
  'https://user:secret@example.org',
  'https://example.org/a b',
  'https://example.org\\x',
  `https://example.org/${'a'.repeat(2048)}`,
  '',
])('%s is none', (text) => expect(isWebAddress(text)).toBe(false))
