import { expect, test } from 'vitest'
import { drawFormula, partsOf } from './formulas'

function drawn(source: string): HTMLElement {
  const formula = document.createElement('var')
  formula.textContent = source
  document.body.append(formula)
  drawFormula(formula)
  return formula
}

test('a formula is drawn as MathML', () => {
  const inline = drawn('$a_k = b_k$')
  expect(inline.querySelectorAll('math msub')).toHaveLength(2)
  expect(inline.textContent).not.toContain('$')
  const display = drawn(String.raw`$$\frac{1}{2} \sum_{k=1}^n \sqrt{x_k}$$`)
  expect(display.querySelector('math')?.getAttribute('display')).toBe('block')
  expect(display.querySelector('mfrac, msqrt')).not.toBeNull()
  drawFormula(inline)
  expect(inline.querySelectorAll('math')).toHaveLength(1)
})

test('a formula that cannot be read, or must not be, stays as typed', () => {
  for (const source of [
    String.raw`$\frac{1$`,
    '$a_b_c$',
    String.raw`$\unknowncommand x$`,
    '$$ unfinished',
    String.raw`$\def\a{xxxxxxxxxx}\a\a\a$`,
    String.raw`$\newcommand{\a}{\a\a}\a$`,
  ]) {
    const formula = drawn(source)
    expect(formula.innerHTML, source).toBe(source)
  }
})

// Moodle: users may write \href and \includegraphics; neither makes a link or loads anything here.
test('a formula makes no links, pictures and scripts', () => {
  for (const source of [
    String.raw`$\href{javascript:alert(1)}{x}$`,
    String.raw`$\url{https://a.example}$`,
    String.raw`$\label{main} \ref{main} x$`,
    String.raw`$\includegraphics{https://a.example/a.png}$`,
    String.raw`$\class{toast}{x}\id{main}{y}\style{position:fixed}{z}$`,
    String.raw`$\text{<img src=x onerror=alert(1)>}$`,
  ]) {
    const formula = drawn(source)
    expect(formula.querySelector('a, img, script, [href], [src], [id], .toast'), source).toBeNull()
    expect(formula.querySelector('[style*="position"]'), source).toBeNull()
  }
})

const times = (part: string, most: number) => part.repeat(Math.floor(most / part.length))

test.for(
  Object.entries({
    'ten thousand braces': '{'.repeat(10_000),
    'braces within the bound': '{'.repeat(990) + '}'.repeat(990),
    'fifty braces': '{'.repeat(49) + 'x' + '}'.repeat(49),
    fractions: String.raw`\frac{1}{`.repeat(48) + '1' + '}'.repeat(48),
    'roots without braces': times(String.raw`\sqrt`, 1_990) + 'x',
    'hats without braces': times(String.raw`\hat`, 1_990) + 'x',
    matrices: times(String.raw`\begin{matrix}a&b\\c&d\end{matrix}`, 1_990),
    columns: String.raw`\begin{matrix}` + '&'.repeat(1_900) + String.raw`\end{matrix}`,
    fences: times(String.raw`\left(`, 300) + 'x' + times(String.raw`\right)`, 350),
    letters: 'x'.repeat(1_990),
    scripts: 'x' + times('_{a^{', 240) + 'b' + '}'.repeat(96),
    spaces: times(String.raw`\kern{9999em}`, 1_990),
    rules: times(String.raw`\rule{9999em}{9999em}`, 1_990),
    commas: times(String.raw`\implies`, 1_990),
  }),
)('%s do not stop the page', async ([, source]) => {
  const begun = performance.now()
  const formula = drawn(`$${source}$`)
  const { height } = formula.getBoundingClientRect()
  await new Promise(requestAnimationFrame)
  const took = performance.now() - begun
  expect(took).toBeLessThan(1_000)
  expect(height).toBeLessThan(100_000)
  expect(formula.querySelectorAll('*').length).toBeLessThan(20_000)
  formula.remove()
})

test('formulas of a text without Markdown', () => {
  const formulas = (text: string) =>
    partsOf(text)
      .filter(({ isFormula }) => isFormula)
      .map((part) => part.text)
  expect(formulas('so $a_k = b_k$ and $$x$$, 公式$x$是')).toEqual(['$a_k = b_k$', '$$x$$', '$x$'])
  // Zulip: zulip/zulip#16367.
  expect(formulas(String.raw`is $5 if $5 < x \le 10$ and $12 if $x > 14$.`)).toEqual([
    String.raw`$5 < x \le 10$`,
    '$x > 14$',
  ])
  for (const text of [
    '$5 and $10',
    'from $3,500 in 2022 to $9,000', // Quartz: jackyzha0/quartz#2208
    '10$, 20$ and 30$',
    '$5 more than 10$',
    '$HOME and $PATH',
    String.raw`\$a\$`,
    '$ a $',
    '$`a`$',
  ])
    expect(formulas(text), text).toEqual([])
  expect(
    partsOf('a $b$ c')
      .map((part) => part.text)
      .join(''),
  ).toBe('a $b$ c')
})
