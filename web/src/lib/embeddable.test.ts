import { expect, test } from 'vitest'
import { embeddable } from './embeddable'

test.each([
  ['https://docs.google.com/document/d/1aB-_9/edit?usp=sharing#h', '/document/d/1aB-_9/preview'],
  ['https://docs.google.com/document/u/0/d/1aB/', '/document/d/1aB/preview'],
  ['https://docs.google.com/document/d/1aB', '/document/d/1aB/preview'],
  ['https://docs.google.com/presentation/d/1aB/edit', '/presentation/d/1aB/preview'],
  [
    'https://docs.google.com/spreadsheets/d/1aB/edit?resourcekey=0-x%26y',
    '/spreadsheets/d/1aB/preview?resourcekey=0-x%26y',
  ],
  ['https://docs.google.com/document/d/e/2PACX-1/pub', '/document/d/e/2PACX-1/pub?embedded=true'],
  [
    'https://docs.google.com/spreadsheets/d/e/2PACX-1/pubhtml',
    '/spreadsheets/d/e/2PACX-1/pubhtml?widget=true',
  ],
])('%s', (link, path) => {
  expect(embeddable(link)).toBe(`https://docs.google.com${path}`)
})

test.each([
  ['https://drive.google.com/file/d/1aB/view?usp=sharing', '/file/d/1aB/preview'],
  ['https://drive.google.com/open?id=1aB', '/file/d/1aB/preview'],
])('%s', (link, path) => {
  expect(embeddable(link)).toBe(`https://drive.google.com${path}`)
})

test.each([
  '',
  'no address',
  'https://example.org/document/d/1/edit',
  'http://docs.google.com/document/d/1/edit',
  'https://docs.google.com:8443/document/d/1/edit',
  'https://docs.google.com.example.org/document/d/1/edit',
  'https://docs.google.com/forms/d/1/viewform',
  'https://docs.google.com/document/d/',
  'https://docs.google.com/document/d/1%22onload/edit',
  'https://drive.google.com/open?id=1/../x',
  'https://drive.google.com/drive/folders/1',
  'javascript:alert(1)',
])('%s is not shown in a frame', (link) => {
  expect(embeddable(link)).toBeNull()
})
