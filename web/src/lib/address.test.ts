import { expect, test } from 'vitest'
import { addressIn } from './address'

const doc = 'https://docs.google.com/document/d/1a_B-c/edit?usp=sharing#heading=h.1'

test.each([
  ['as it is', doc],
  ['blanks around it', `  ${doc}\t\n`],
  ['zero-width blanks and a mark of direction', `\u200b${doc}\ufeff\u200e`],
  ['a no-break space', `\u00a0${doc}\u00a0`],
  ['angle brackets of Outlook', `<${doc}>`],
  ['a name before the brackets', `My essay <${doc}>`],
  ['wrapped between the brackets', `<${doc.slice(0, 30)}\r\n ${doc.slice(30)}>`],
  ['the share sheet of a phone', `Look at my essay ${doc}`],
  ['the share sheet, on lines of its own', `Essay\n${doc}\nShared from my phone`],
  ['the end of a sentence', `It is here: ${doc}.`],
  ['parentheses', `(${doc})`],
  ['a link of Markdown', `[My essay](${doc})`],
  ['quotation marks', `“${doc}”`],
  ['a label', `Link:${doc}`],
  ['without https://', doc.slice('https://'.length)],
  ['without https://, in a sentence', `See ${doc.slice('https://'.length)}, please`],
  ['one slash', doc.replace('//', '/')],
  ['capitals', doc.replace('https', 'HTTPS')],
  ['a zero-width blank inside, whatwg/url#151', doc.replace('google', 'goo\u200bgle')],
  ['a zero-width blank before the host, hyperobject/crossorigin.me#18', doc.replace('//', '//\u200b')],
  ['an encoded zero-width blank after it, TinyTapeout/tt-support-tools#104', `${doc}%E2%80%8B`],
  ['blanks in https://, ckeditor/ckeditor4#1870', doc.replace('://', ': // ')],
  ['no scheme between brackets, THORCollective/HEARTH#401', `<${doc.slice('https://'.length)}>`],
])('the address is found: %s', (_, text) => {
  expect(addressIn(text)).toBe(doc)
})

test('parentheses of the address stay', () => {
  const wiki = 'https://en.wikipedia.org/wiki/Mercury_(planet)'
  expect(addressIn(`(see ${wiki})`)).toBe(wiki)
  expect(addressIn('www.example.org')).toBe('https://www.example.org')
  expect(addressIn('example.org')).toBe('https://example.org')
  expect(addressIn('http://example.org/a')).toBe('http://example.org/a')
})

test.each([
  '',
  'my essay',
  'ada@example.org',
  'Version 2.0',
  'I read e.g. this',
  'https://',
  'photo.png',
  'My.Essay.docx',
  'https://user:secret@example.org/',
  'javascript:alert(1)',
  'ftp://example.org/a',
  'file:///home/ada/essay.docx',
  'C:\\essay.docx',
])('none is found in %j', (text) => {
  expect(addressIn(text)).toBeNull()
})
