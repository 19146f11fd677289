// Cuts the two preloaded font files out of the packages they come from: printable ASCII and the
// punctuation our texts use, with only the weights the design needs. Everything else in the Latin
// script is loaded from the packages' own files when a page shows it (src/styles/fonts.css).
// Run by hand after a font package is updated; the result is committed.
import { readFileSync, writeFileSync } from 'node:fs'
import subsetFont from 'subset-font'

const ascii = Array.from({ length: 95 }, (_, i) => String.fromCodePoint(0x20 + i)).join('')
const text = `${ascii}–—‘’“”…·×é`

const fonts = [
  { name: 'bricolage-grotesque', out: 'display', wght: { min: 500, max: 800 } },
  { name: 'figtree', out: 'text', wght: { min: 400, max: 700 } },
]

for (const { name, out, wght } of fonts) {
  const source = new URL(
    `../node_modules/@fontsource-variable/${name}/files/${name}-latin-wght-normal.woff2`,
    import.meta.url,
  )
  const cut = await subsetFont(readFileSync(source), text, {
    targetFormat: 'woff2',
    variationAxes: { wght },
  })
  writeFileSync(new URL(`../src/assets/fonts/${out}.woff2`, import.meta.url), cut)
  console.log(`${out}.woff2: ${cut.length} bytes`)
}
