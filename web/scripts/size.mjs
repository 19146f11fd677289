// The budget of bytes: what has to arrive before the home page works, and what any other page adds to that.
// The build's manifest says which files those are.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import filePlugin from '@size-limit/file'
import sizeLimit from 'size-limit'
import { scriptsOf } from './manifest.mjs'

const dist = new URL('../dist/', import.meta.url)
const manifest = JSON.parse(readFileSync(new URL('../.size/manifest.json', import.meta.url), 'utf8'))

async function brotli(files) {
  const paths = [...files].map((file) => fileURLToPath(new URL(file, dist)))
  const [{ size }] = await sizeLimit([filePlugin], paths)
  return size
}

const shell = readFileSync(new URL('.pages/shell.html', dist), 'utf8')
const entry = /<script type="module"[^>]* src="\/([^"]+)"/.exec(shell)?.[1]
const core = scriptsOf(
  manifest,
  Object.keys(manifest).find((key) => manifest[key].file === entry),
)
const pages = Object.keys(manifest).filter((key) => /^src\/routes\/[^/]+\.tsx$/.test(key))
const { en: texts } = JSON.parse(readFileSync(new URL('../.size/texts.json', import.meta.url), 'utf8'))
const home = await brotli(core.union(scriptsOf(manifest, 'src/routes/home.tsx')).add(texts.public))
// Lingui takes 3.7 kB of it.
let failed = report('home', home, 110_000)
failed = report('texts: visit', await brotli([texts.public, texts.visit]), 8_000) || failed
failed = report('texts: app', await brotli([texts.public, texts.app]), 32_000) || failed
for (const page of pages.filter((key) => key !== 'src/routes/home.tsx')) {
  const more = scriptsOf(manifest, page).difference(core)
  const name = page.slice('src/routes/'.length, -'.tsx'.length)
  failed = report(name, await brotli(more), 43_300) || failed
}
process.exit(failed ? 1 : 0)

function report(name, size, limit) {
  const over = size > limit
  console.log(
    `${over ? 'OVER' : 'ok  '} ${name.padEnd(22)} ${(size / 1000).toFixed(1).padStart(6)} kB of ${limit / 1000}`,
  )
  return over
}
