// Builds the app for the browser and for Node, compresses the files, and writes the pages as html/template has them.
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { build } from 'vite'
import { compressAll } from './compress.mjs'
import { scriptsOf } from './manifest.mjs'

const web = new URL('../', import.meta.url)
const dist = new URL('dist/', web)
const serverDist = new URL('node_modules/.server/', web)

for (const name of readdirSync(dist)) {
  if (name !== '.keep') rmSync(new URL(name, dist), { recursive: true })
}
await build({ root: web.pathname, logLevel: 'warn' })
await build({
  root: web.pathname,
  logLevel: 'warn',
  publicDir: false,
  build: { manifest: false, ssr: 'src/app/entry-server.tsx', outDir: serverDist.pathname, emptyOutDir: true },
})
const notes = keepNotes()
await compressAll(dist)
await writePages(notes.manifest, notes.texts.en)

/** Moves Vite's manifest, the names of the files of texts and the pseudo-language out of the served files. */
function keepNotes() {
  const kept = new URL('.size/', web)
  mkdirSync(kept, { recursive: true })
  for (const name of readdirSync(new URL('.vite/', dist))) {
    renameSync(new URL(`.vite/${name}`, dist), new URL(name, kept))
  }
  rmSync(new URL('.vite/', dist), { recursive: true })
  const read = (name) => JSON.parse(readFileSync(new URL(name, kept), 'utf8'))
  return { manifest: read('manifest.json'), texts: read('texts.json') }
}

/**
 * Writes the pages and the manifest, for the server alone: it does not serve files from folders whose names begin
 * with a dot.
 */
async function writePages(files, texts) {
  const { draw, manifest } = await import(new URL('entry-server.js', serverDist).href)
  const folder = new URL('.pages/', dist)
  mkdirSync(folder)
  const html = readFileSync(new URL('index.html', dist), 'utf8')
  rmSync(new URL('index.html', dist))
  const addresses = Object.entries(texts).map(
    ([part, file]) => `<meta name="texts-${part}" content="/${file}">`,
  )
  const shell = [
    [/<!--head:start-->.*<!--head:end-->/s, '{{template "head" $}}'],
    ['<!--boot-->', '{{template "boot" $}}'],
    ['</head>', `  ${addresses.join('\n    ')}\n  </head>`],
  ].reduce((page, [what, by]) => replaced(page, what, by), html)
  writeFileSync(new URL('shell.html', folder), shell)
  const site = JSON.parse(readFileSync(new URL('../internal/site/default.json', web), 'utf8'))
  const setting = { brand: '{{.Brand}}', site: actions(site, '.Site') }
  for (const { name, html: page, isFrame, texts: part, sources } of await draw(
    setting,
    await messagesIn(texts),
  )) {
    const root = isFrame ? `data-frame>${waiting(page, name)}` : `data-prerendered>${page}`
    const needed = [...new Set([texts.public, texts[part]]), ...scriptsFrom(files, sources)]
    const template = replaced(
      scriptsLast(preloading(shell, needed)),
      /<div id="root">.*?<\/div><\/div>/s,
      `<div id="root" data-registration="{{.Access.Registration}}" data-hall="{{.Access.Hall}}" ${root}</div>`,
    )
    writeFileSync(new URL(`${name}.html`, folder), template)
  }
  writeFileSync(new URL('manifest.json', folder), JSON.stringify(manifest()))
}

/** The texts that the pages are drawn with. */
async function messagesIn(texts) {
  const parts = await Promise.all(Object.values(texts).map((file) => import(new URL(file, dist).href)))
  return Object.assign({}, ...parts.map(({ messages }) => messages))
}

/** The operator's texts, each as the action that fills it in: `{{(index .Site.Footer.Social 0).URL}}`. */
function actions(value, path) {
  if (Array.isArray(value)) return value.map((one, i) => actions(one, `(index ${path} ${i})`))
  if (typeof value !== 'object') return `{{${path}}}`
  const go = (name) => (name === 'url' ? 'URL' : name[0].toUpperCase() + name.slice(1))
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, actions(one, `${path}.${go(name)}`)]),
  )
}

/**
 * A frame, whose controls work once the app has replaced it. Where the page's subject is in the HTML, the server writes
 * it in place of the spinner: see internal/server/content.html.
 */
function waiting(page, name) {
  const off = page.replaceAll(/<(button|input|select|textarea)(?=[ >])/g, '<$1 disabled=""')
  const subject = { assignments: 'List', assignment: 'Assignment' }[name.split('.')[1]]
  if (!subject) return off
  const spinner = /<div role="status" aria-label="Loading[^"]*" [^>]*><span [^>]*><\/span><\/div>/.exec(
    off,
  )?.[0]
  return replaced(off, spinner, `{{with $.${subject}}}{{template "${subject}" $}}{{else}}${spinner}{{end}}`)
}

function replaced(html, what, by) {
  const result = html.replace(what, () => by)
  if (result === html) throw new Error(`The shell has no ${what}`)
  return result
}

function scriptsFrom(files, sources) {
  return new Set(sources.filter((source) => files[source]).flatMap((source) => [...scriptsOf(files, source)]))
}

/** The shell, asking for a page's own scripts and texts at once instead of after the core has run. */
function preloading(shell, scripts) {
  const links = scripts
    .filter((file) => !shell.includes(`src="/${file}"`) && !shell.includes(`href="/${file}"`))
    .map((file) => `<link rel="modulepreload" crossorigin href="/${file}">\n  `)
  return shell.replace('</head>', () => `  ${links.join('')}</head>`)
}

/** Scripts get low priority: the HTML has the content, so style sheet, fonts and pictures come first. */
function scriptsLast(page) {
  return page.replace(/<(link rel="modulepreload"|script type="module")/g, '<$1 fetchpriority="low"')
}
