// The whole build: the app for the browser, the same app for Node, the prerendered pages, the compressed twins.
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
await prerender(keepManifest())
await compressAll(dist)

/** Moves the build's own list of files out of what is served; the size budget reads it. */
function keepManifest() {
  mkdirSync(new URL('.size/', web), { recursive: true })
  renameSync(new URL('.vite/manifest.json', dist), new URL('.size/manifest.json', web))
  rmSync(new URL('.vite/', dist), { recursive: true })
  return JSON.parse(readFileSync(new URL('.size/manifest.json', web), 'utf8'))
}

async function prerender(manifest) {
  const { draw } = await import(new URL('entry-server.js', serverDist).href)
  const site = JSON.parse(readFileSync(new URL('../internal/site/default.json', web), 'utf8'))
  const { pages, pieces } = await draw({ brand: '@@brand@@', site: placeholders(site, 'site'), demo: null })
  const shell = readFileSync(new URL('index.html', dist), 'utf8')
  mkdirSync(new URL('prerendered/', dist))
  for (const [name, { html, source }] of Object.entries(pages)) {
    const page = scriptsLast(preloading(shell, manifest, source)).replace(
      /<div id="root">.*?<\/div><\/div>/s,
      () => `<div id="root" data-prerendered>${html}</div>`,
    )
    if (!page.includes('data-prerendered')) throw new Error('The shell has no #root to prerender into')
    writeFileSync(new URL(`prerendered/${name}.html`, dist), page)
  }
  // For the server alone: it does not serve files whose names begin with a dot.
  writeFileSync(new URL('.pieces.json', dist), JSON.stringify(pieces))
}

/** The shell, asking for a page's own scripts at once instead of after the core has run. */
function preloading(shell, manifest, source) {
  const links = [...(source ? scriptsOf(manifest, source) : [])]
    .filter((file) => !shell.includes(file))
    .map((file) => `<link rel="modulepreload" crossorigin href="/${file}">\n  `)
  return shell.replace('</head>', () => `  ${links.join('')}</head>`)
}

/** What the page shows stands in the HTML: style sheet, fonts and pictures have the line before the scripts. */
function scriptsLast(page) {
  return page.replace(/<(link rel="modulepreload"|script type="module")/g, '<$1 fetchpriority="low"')
}

/** Every text of the settings as `@@path.to.it@@`, for the server to fill in. */
function placeholders(value, path) {
  if (typeof value === 'string') return `@@${path}@@`
  const entries = Object.entries(value).map(([key, inner]) => [key, placeholders(inner, `${path}.${key}`)])
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries)
}
