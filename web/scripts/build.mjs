// Builds the app for the browser and for Node, compresses the files, and writes the pages' templates.
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { build } from 'vite'
import { bothWays } from './both-ways.mjs'
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
  plugins: [bothWays({ root: web.pathname })],
  build: { manifest: false, ssr: 'src/app/entry-server.tsx', outDir: serverDist.pathname, emptyOutDir: true },
})
const built = keepManifest()
await compressAll(dist)
await writePages(built)

/** Moves Vite's manifest out of the served files; the size budget reads it. */
function keepManifest() {
  mkdirSync(new URL('.size/', web), { recursive: true })
  renameSync(new URL('.vite/manifest.json', dist), new URL('.size/manifest.json', web))
  rmSync(new URL('.vite/', dist), { recursive: true })
  return JSON.parse(readFileSync(new URL('.size/manifest.json', web), 'utf8'))
}

/**
 * Writes the pages' templates and the manifest, for the server alone: it does not serve files from folders whose
 * names begin with a dot.
 */
async function writePages(files) {
  const { draw, manifest } = await import(new URL('entry-server.js', serverDist).href)
  const folder = new URL('.pages/', dist)
  mkdirSync(folder)
  const html = readFileSync(new URL('index.html', dist), 'utf8')
  rmSync(new URL('index.html', dist))
  const shell = replaced(
    replaced(html, /<!--head:start-->.*<!--head:end-->/s, '{{template "head" $}}'),
    '<!--boot-->',
    '{{template "boot" $}}',
  )
  writeFileSync(new URL('shell.html', folder), shell)
  for (const { name, html: page, sources } of await draw()) {
    const template = replaced(
      scriptsLast(preloading(shell, files, sources)),
      /<div id="root">.*?<\/div><\/div>/s,
      `<div id="root" data-prerendered>${page}</div>`,
    )
    writeFileSync(new URL(`${name}.html`, folder), template)
  }
  writeFileSync(new URL('manifest.json', folder), JSON.stringify(manifest()))
}

function replaced(html, what, by) {
  const result = html.replace(what, () => by)
  if (result === html) throw new Error(`The shell has no ${what}`)
  return result
}

/** The shell, asking for a page's own scripts at once instead of after the core has run. */
function preloading(shell, files, sources) {
  const scripts = new Set(
    sources.filter((source) => files[source]).flatMap((source) => [...scriptsOf(files, source)]),
  )
  const links = [...scripts]
    .filter((file) => !shell.includes(file))
    .map((file) => `<link rel="modulepreload" crossorigin href="/${file}">\n  `)
  return shell.replace('</head>', () => `  ${links.join('')}</head>`)
}

/** Scripts get low priority: the HTML has the content, so style sheet, fonts and pictures come first. */
function scriptsLast(page) {
  return page.replace(/<(link rel="modulepreload"|script type="module")/g, '<$1 fetchpriority="low"')
}
