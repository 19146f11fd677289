// Lists texts that are evaluated when a module loads, before the page's language is known: a text belongs in a
// component or a function. And texts that are in no catalogue: a text belongs in a macro of Lingui's.
import { globSync, readFileSync } from 'node:fs'
import { parseAst } from 'vite'

/** Names and keys that look like texts. */
const notTexts = new Set([
  'Google',
  'documents here',
  'notification settings',
  'Authorization',
  'Components',
  'Escape',
  'Problem',
])

/** A capitalised word, or several words that are not all of a style sheet. */
const looksLikeText = (text) =>
  /^[A-Z][a-z]+$/.test(text) ||
  (/[A-Za-z\d] [A-Za-z]/.test(text) && !text.split(/\s+/).every((word) => /^[a-z]+$|[-:[(<=]/.test(word)))

/** Functions and classes run later, developers alone see errors, and imports and types have no text. */
const isSkipped = ({ type, callee, source }) =>
  /Function|^Class|^Import/.test(type) ||
  (type.startsWith('TS') && !/^TS(As|Satisfies|NonNull)Expression$/.test(type)) ||
  (type === 'NewExpression' && callee.name === 'Error') ||
  (type.startsWith('Export') && source)

const childrenOf = (node) =>
  Object.entries(node)
    .filter(([key]) => !(node.type === 'Property' && key === 'key'))
    .flatMap(([, child]) => child)
    .filter((child) => child?.type)

function textsIn(node) {
  if (isSkipped(node)) return []
  const text = node.type === 'TemplateElement' ? node.value.cooked : node.value
  if (typeof text === 'string' && looksLikeText(text.trim()) && !notTexts.has(text)) return [node]
  return childrenOf(node).flatMap(textsIn)
}

/** The first line of a CSV file, the code of a picture, and a header of a request. */
const isCode = (text) => /^assignment,submission,|^<svg |^Bearer /.test(text)

/** What is never shown: names of keys, of events and of formats, and what is compared or looked up. */
const notShown = new Set(['className', 'key', 'id', 'to', 'accept', 'type', 'seed', 'draft', 'path', 'd'])
const macros = new Set(['t', 'msg', 'plural', 'select', 'Trans', 'Plural'])

function isHandled(node) {
  const { type } = node
  if (/^Import|^TS(?!As|Satisfies|NonNull)/.test(type) || (type.startsWith('Export') && node.source))
    return true
  if (type === 'TaggedTemplateExpression')
    return macros.has(node.tag.name) || node.tag.object?.name === 'String'
  if (type === 'CallExpression') return macros.has(node.callee.name)
  if (type === 'NewExpression') return node.callee.name === 'Error' || node.callee.object?.name === 'Intl'
  if (type === 'JSXElement')
    return macros.has(node.openingElement.name.name) || node.openingElement.name.name === 'code'
  if (type === 'JSXAttribute') return notShown.has(node.name.name)
  if (type === 'BinaryExpression') return /^[!=]==$/.test(node.operator)
  return false
}

/** Literal texts that are shown, and not looked up in the catalogue. */
function literalsIn(node) {
  if (isHandled(node)) return []
  const text = node.type === 'TemplateElement' ? node.value.cooked : node.value
  const shown =
    node.type === 'JSXText'
      ? /[A-Za-z]{2}/.test(text)
      : typeof text === 'string' && looksLikeText(text.trim())
  if (shown && !notTexts.has(text) && !isCode(text)) return [node]
  const below = node.type === 'SwitchCase' ? node.consequent : childrenOf(node)
  return below.flatMap(literalsIn)
}

// The server writes the titles of pages.ts.
const exclude = [
  'src/app/pages.ts',
  'src/test/**',
  'src/app/dev/**',
  'src/book/**',
  'src/**/*.{test,gen,d}.*',
]
for (const file of globSync('src/**/*.{ts,tsx}', { exclude })) {
  const code = readFileSync(file, 'utf8')
  const program = parseAst(code, { lang: file.endsWith('x') ? 'tsx' : 'ts' })
  for (const { start, end } of [...textsIn(program), ...literalsIn(program)]) {
    console.error(`${file}:${code.slice(0, start).split('\n').length}: ${code.slice(start, end).trim()}`)
    process.exitCode = 1
  }
}
