import { signIn } from '../support/api'
import { uniqueWord } from '../support/product'
import { expect, test, type Page } from '../support/test'

/** What users write shows as they typed it: lines, blanks, formulas, code. */

/** Where the letters of a text begin, past the blanks in front of them. */
const startOf = (page: Page, text: string) =>
  page.evaluate((wanted) => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const at = node.nodeValue?.indexOf(wanted) ?? -1
      if (at < 0) continue
      const range = document.createRange()
      range.setStart(node, at)
      range.setEnd(node, at + wanted.length)
      return range.getBoundingClientRect().x
    }
    return -1
  }, text)

test('lines, blanks and signs stay in a description, a note, feedback and a comment', async ({
  page,
  api,
}) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const text = (n: number) =>
    `rose${n} red\nviolet${n} blue\n  shifted${n}\n\n3. third${n}\n7. seventh${n}\n\n2*x${n}*y and __init${n}__`
  const id = await api.assignment(ada.token, { title: uniqueWord(), description: text(1) })
  await api.comment(ben.token, id, text(2))
  await api.grade(ada.token, await api.submission(ben.token, id, `rose3 red\n  shifted3`), 20, text(4))
  await signIn(page, ben, `/assignment/${id}`)
  for (const n of [1, 2]) {
    await expect(page.getByText(`2*x${n}*y and __init${n}__`).first()).toBeVisible()
    // MarkUs: MarkUsProject/Markus#2320; Artemis: ls1intum/Artemis#3035.
    expect(await startOf(page, `violet${n}`)).toBe(await startOf(page, `rose${n}`))
    expect(await startOf(page, `shifted${n}`)).toBeGreaterThan(await startOf(page, `rose${n}`))
    await expect(
      page
        .getByRole('listitem')
        .filter({ hasText: `seventh${n}` })
        .last(),
    ).toHaveJSProperty('value', 7)
  }
  await page.goto('/attemded-assignments')
  await expect(page.getByText('rose3').first()).toBeVisible()
  for (const n of [3, 4])
    expect(await startOf(page, `shifted${n}`)).toBeGreaterThan(await startOf(page, `rose${n}`))
})

test('formulas are drawn where one stands, and nothing is loaded where none does', async ({
  page,
  api,
  newPerson,
}) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const id = await api.assignment(ada.token, {
    title: uniqueWord(),
    description: [
      'So $a_k = b_k$ for $5 and $10.',
      '$$\n\\frac{x}{2}\n- \\sqrt{y}\n$$',
      'Not $\\frac{1$ and `$c_d$`.',
      `$$${Array.from({ length: 60 }, (_, n) => `x_{${n}}`).join(' + ')}$$`,
      `$${'{'.repeat(5000)}${'}'.repeat(2000)}$`,
    ].join('\n\n'),
  })
  const plain = await api.assignment(ada.token, { title: uniqueWord(), description: 'It costs $5.' })
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await signIn(page, ben, `/assignment/${plain}`)
  await expect(page.getByText('It costs $5.').first()).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Write a comment' })).toBeVisible()
  expect(asked.filter((url) => /formula|temml/i.test(url))).toEqual([])

  await page.goto(`/assignment/${id}`)
  const text = page.locator('.rendered').first()
  await expect(text.locator('var math')).toHaveCount(3)
  await expect(text).toContainText('for $5 and $10.')
  await expect(text).toContainText('Not $\\frac{1$ and $c_d$.')
  await expect(text).toContainText('{{{{{{{{{{')
  await expect(text.getByRole('math').first()).toBeVisible()
  await expect(text.locator('math mfrac')).toBeVisible()
  for (const [theme, media] of [
    ['light', 'screen'],
    ['dark', 'screen'],
    ['dark', 'print'],
  ] as const) {
    await page.emulateMedia({ media })
    await page.evaluate((name) => (document.documentElement.dataset.theme = name), theme)
    const [formula, around] = await Promise.all(
      [text.locator('math').first(), text.locator('p').first()].map((part) =>
        part.evaluate((element) => getComputedStyle(element).color),
      ),
    )
    expect(formula, `${theme} ${media}`).toBe(around)
    if (media === 'print') expect(around).toBe('rgb(28, 33, 48)')
  }
  await page.emulateMedia({ media: 'screen' })
  await page.setViewportSize({ width: 320, height: 800 })
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
  ).toBeLessThanOrEqual(0)

  // A note is no Markdown.
  await api.submission(ben.token, id, 'My $n^2$ costs $5, not $6.')
  const teacher = await newPerson()
  await signIn(teacher, ben, '/attemded-assignments')
  await expect(teacher.getByRole('math')).toBeVisible()
  await expect(teacher.getByText('costs $5, not $6.').first()).toBeVisible()
})

/** Pastes as the keyboard does. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((pasted) => navigator.clipboard.writeText(pasted), text)
  await page.keyboard.press('Control+V')
}

test('pasted code becomes a code block, by the keyboard', async ({ page, api, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const ada = await api.user('Ada')
  const id = await api.assignment(ada.token, { title: uniqueWord() })
  await signIn(page, ada, `/assignment/${id}`)
  const box = page.getByRole('textbox', { name: 'Write a comment' })
  const offer = page.getByRole('button', { name: 'Make it a code block' })
  const code = 'def f(x):\n    if x:\n        return `x`\n\n    return 2'
  await box.fill('Look:')
  await paste(page, ' one line')
  await paste(page, '\ntwo\n- three\n  - four\n')
  await expect(box).toHaveValue('Look: one line\ntwo\n- three\n  - four\n')
  await expect(offer).toBeHidden()
  await paste(page, code)
  await expect(offer).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(offer).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(offer).toBeHidden()
  await expect(box).toBeFocused()
  await expect(box).toHaveValue(`Look: one line\ntwo\n- three\n  - four\n\`\`\`\n${code}\n\`\`\`\n`)
  await page.keyboard.press('Control+Z')
  await expect(box).toHaveValue(`Look: one line\ntwo\n- three\n  - four\n${code}`)
  await page.keyboard.press('Control+Shift+Z')
  await page.keyboard.press('Control+Enter')
  await expect(page.locator('pre > code')).toHaveText(`${code}\n`)
  await box.fill('```\n')
  await paste(page, code)
  await expect(box).toHaveValue(`\`\`\`\n${code}`)
  await expect(offer).toBeHidden()
  await box.fill('')
  await paste(page, code)
  await expect(offer).toBeVisible()
  await box.fill('Something else')
  await expect(offer).toBeHidden()
})
