// Compares the first HTML that the server makes with what React draws for the same data. TestTheFirstHTMLIsWhatReactDraws
// in internal/server writes the cases to standard input, one JSON object a line.
import { createInterface } from 'node:readline'
import { build } from 'vite'

const web = new URL('../', import.meta.url)
const plain = new URL('node_modules/.plain/', web)
// The app as it is, without the build step that records both branches of its operators.
await build({
  root: web.pathname,
  logLevel: 'warn',
  publicDir: false,
  build: { manifest: false, ssr: 'src/app/entry-server.tsx', outDir: plain.pathname, emptyOutDir: true },
})
const { drawFilled } = await import(new URL('entry-server.js', plain).href)

const entities = { amp: '&', lt: '<', gt: '>', quot: '"' }
const differences = new Set()
let cases = 0
let different = 0
for await (const line of createInterface({ input: process.stdin })) {
  const one = JSON.parse(line)
  cases += 1
  const sent = normalized(
    /<div id="root" data-prerendered>(.*)<\/div>\s*<script type="application\/json"/s.exec(one.html)?.[1],
  )
  const drawn = normalized(await drawFilled(one))
  const at = drawn.findIndex((token, i) => token !== sent[i])
  if (at < 0 && sent.length === drawn.length) continue
  different += 1
  const first = at < 0 ? drawn.length : at
  const difference = `${drawn[first]} ${sent[first]}`
  if (differences.has(difference) || differences.size === 8) continue
  differences.add(difference)
  const from = Math.max(0, first - 4)
  const excerpt = (tokens) => tokens.slice(from, from + 9).join('\n    ')
  console.log(`${one.case}\n  React draws\n    ${excerpt(drawn)}\n  the server sends\n    ${excerpt(sent)}`)
}
console.log(`${different} of ${cases} drawings differ`)
process.exit(different > 0 || cases === 0 ? 1 : 0)

/** Tags and texts, one each. What HTML can say in two ways is said in one. */
function normalized(html = '') {
  const ids = []
  const idOf = (id) => {
    if (!ids.includes(id)) ids.push(id)
    return `id${ids.indexOf(id)}`
  }
  // React separates neighbouring texts by a comment; beside anything else it means nothing.
  const tokens = (html.match(/<!--.*?-->|<[^>]*>|[^<]+/gs) ?? []).filter(
    (token, i, all) =>
      token !== '<!-- -->' || (isText(all, i, -1) && isText(all, i, 1) && all[i - 1] !== token),
  )
  return tokens.map((token) => {
    const [, name, attributes] = /^<(\/?[\w-]+)(.*?)\/?>$/s.exec(token) ?? []
    if (!name) return decoded(token)
    const all = [...attributes.matchAll(/ ([\w:-]+)="([^"]*)"/g)].map(
      ([, key, value]) => `${key.toLowerCase()}=${decoded(value).replaceAll(/_[rR]_\w*?_/g, idOf)}`,
    )
    return `<${[name, ...all.toSorted()].join(' ')}>`
  })
}

/** Whether the next token on one side, separators apart, is a text. */
function isText(tokens, from, step) {
  let at = from + step
  while (tokens[at] === '<!-- -->') at += step
  return tokens[at] !== undefined && !tokens[at].startsWith('<')
}

function decoded(text) {
  return text.replaceAll(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (_, hex, decimal, name) =>
    name ? entities[name] : String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal)),
  )
}
