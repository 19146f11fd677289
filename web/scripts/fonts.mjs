// Cuts font files out of the packages they come from, with only the weights the design needs: two
// preloaded ones with printable ASCII and the signs our texts use, and two with the other letters and signs
// of western Europe, loaded when a page shows one of them. All else in the Latin script is loaded from the
// packages' own files (src/styles/fonts.css, which names the same ranges).
// Run by hand after a font package is updated; the result is committed.
import { readFileSync, writeFileSync } from 'node:fs'
import subsetFont from 'subset-font'

const from = (first, last) =>
  Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i)).join('')
const ours = `${from(0x20, 0x7e)}–—‘’“”…·×©é`
const western = [...`${from(0xa0, 0xff)}Œœ€™`].filter((letter) => !ours.includes(letter)).join('')

const display = { name: 'bricolage-grotesque', wght: { min: 500, max: 800 } }
const text = { name: 'figtree', wght: { min: 400, max: 700 } }
const files = [
  { ...display, out: 'display', letters: ours },
  { ...display, out: 'display-western', letters: western },
  { ...text, out: 'text', letters: ours },
  { ...text, out: 'text-western', letters: western },
]

for (const { name, out, wght, letters } of files) {
  const source = new URL(
    `../node_modules/@fontsource-variable/${name}/files/${name}-latin-wght-normal.woff2`,
    import.meta.url,
  )
  const cut = await subsetFont(readFileSync(source), letters, {
    targetFormat: 'woff2',
    variationAxes: { wght },
  })
  writeFileSync(new URL(`../src/assets/fonts/${out}.woff2`, import.meta.url), cut)
  console.log(`${out}.woff2: ${cut.length} bytes`)
}
