// Lists texts that are evaluated when a module loads, before the page's language is known. A text belongs in a
// component or a function.
import { globSync, readFileSync } from 'node:fs'
import { parseAst } from 'vite'

/** Names and keys that look like texts. */
const notTexts = new Set(['Google', 'documents here', 'notification settings'])

/** A capitalised word, or several words that are not all of a style sheet. */
const looksLikeText = (text) =>
  /^[A-Z][a-z]+$/.test(text) ||
  (/[A-Za-z] [A-Za-z]/.test(text) && !text.split(/\s+/).every((word) => /^[a-z]+$|[-:[(<=]/.test(word)))

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

const exclude = ['src/test/**', 'src/app/dev/**', 'src/**/*.{test,gen,d}.*']
for (const file of globSync('src/**/*.{ts,tsx}', { exclude })) {
  const code = readFileSync(file, 'utf8')
  for (const { start, end } of textsIn(parseAst(code, { lang: file.endsWith('x') ? 'tsx' : 'ts' }))) {
    console.error(`${file}:${code.slice(0, start).split('\n').length}: ${code.slice(start, end).trim()}`)
    process.exitCode = 1
  }
}
