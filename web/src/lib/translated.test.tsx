import { useState } from 'react'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '@/test/render'
import { translate, type Translator } from '@/test/translate'

/** Texts beside conditional elements, in which React removes, inserts and changes text nodes. */
function Sample() {
  const [n, setN] = useState(0)
  const more = () => setN(n + 1)
  return (
    <main>
      <button type="button" onClick={more}>
        {n % 2 === 1 && <i>!</i>}
        {n} of {n + 5} pages
      </button>
      <p>
        {n % 2 === 0 ? 'even' : null}
        {n > 1 && <b>many</b>}
        {n % 3 === 0 ? 'three' : <em>not three</em>}
        {n < 3 && 'few'}
      </p>
      <ul>
        {Array.from({ length: 4 }, (_, at) => (at + n) % 4).map((key) => (
          <li key={key}>
            {key} {n}
          </li>
        ))}
      </ul>
    </main>
  )
}

/** What the page says without a translator, by the number of presses. */
function said(n: number): string {
  return [
    `${n % 2 === 1 ? '!' : ''}${n} of ${n + 5} pages`,
    `${n % 2 === 0 ? 'even' : ''}${n > 1 ? 'many' : ''}${n % 3 === 0 ? 'three' : 'not three'}${n < 3 ? 'few' : ''}`,
    Array.from({ length: 4 }, (_, at) => `${(at + n) % 4} ${n}`).join(''),
  ].join('')
}

// deep-learning-indaba/Baobab#1092, opengovsg/FormSG#5213, comet-ml/opik#7562, dpla/dpla-frontend#1520,
// Couchers-org/couchers#6513
test.each<Translator>(['wraps', 'replaces', 'inserts and removes'])(
  'a page works that a translator %s',
  async (how) => {
    await render(<Sample />)
    const stop = translate(how)
    const main = page.getByRole('main')
    for (let n = 0; n < 8; n++) {
      await expect.poll(() => main.element().textContent).toBe(said(n))
      await expect.poll(() => main.element().querySelectorAll('font').length).toBeGreaterThan(5)
      await page.getByRole('button').click()
    }
    stop()
  },
)
