import temml from 'temml'
import 'temml/dist/Temml-Local.css'

/** A longer formula, or one nested deeper, shows as typed: drawing it would stop the page. */
const longest = 2_000
const deepest = 50

/** Definitions would make a long formula of a short one. */
const defines = /\\(?:[egx]?def|let|futurelet|(?:new|renew|provide)command)(?![a-z])/i

/** Bounds of how often Temml's own macros are replaced, and how large parts may be, in em and in points. */
const bounds = { maxExpand: 1_000, maxSize: [20, 200] as [number, number] }

/**
 * Draws a formula as MathML in place of its source, `$…$` or `$$…$$`, once. A formula that cannot be read stays as
 * typed.
 */
export function drawFormula(formula: HTMLElement): void {
  const source = formula.textContent
  const sign = source.startsWith('$$') ? '$$' : '$'
  if (!source.startsWith(sign) || !source.endsWith(sign)) return
  if (source.length > longest || depthOf(source) > deepest || defines.test(source)) return
  const displayMode = sign === '$$'
  const drawn = document.createElement('span')
  try {
    temml.render(source.slice(sign.length, -sign.length), drawn, {
      displayMode,
      throwOnError: true,
      trust: false,
      ...bounds,
    })
  } catch {
    return
  }
  // A reference is a link into the page.
  if (drawn.querySelector('[href], [id]')) return
  formula.classList.toggle('display', displayMode)
  formula.replaceChildren(...drawn.childNodes)
}

/** How deep braces and commands that enclose something are nested. */
function depthOf(source: string): number {
  let [depth, most] = [0, 0]
  for (const [part] of source.matchAll(/\\(?:left|begin|right|end)(?![a-z])|\\.|[{}^_]/gsu)) {
    if (part === '{' || part === String.raw`\left` || part === String.raw`\begin`)
      most = Math.max(most, ++depth)
    else if (part === '}' || part === String.raw`\right` || part === String.raw`\end`) depth--
  }
  return most
}

/**
 * Matches a formula in a text without Markdown, as the server does in one with it: see internal/markdown/formulas.go.
 */
const formula =
  /(?<![\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{N}$\\])(?:\$\$(?!\$)(?:\\.|[^\\`$]|\$(?!\$))+\$\$|\$(?![\s$])(?!\d[\p{L}\d.,/%-]{0,10}\s+\p{L}{2})(?:\\.|[^\\`$])+(?<!\s)\$(?!\d))/gsu

interface Part {
  /** Where it begins in the text. */
  at: number
  text: string
  isFormula: boolean
}

/** A text in parts: formulas, and what stands between them. */
export function partsOf(text: string): Part[] {
  const parts: Part[] = []
  let end = 0
  for (const found of text.matchAll(formula)) {
    parts.push({ at: end, text: text.slice(end, found.index), isFormula: false })
    parts.push({ at: found.index, text: found[0], isFormula: true })
    end = found.index + found[0].length
  }
  return [...parts, { at: end, text: text.slice(end), isFormula: false }]
}
