import { signIn } from '../support/api'
import { uniqueWord } from '../support/product'
import { expect, test, type Page } from '../support/test'

const sideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

test('one long word breaks on every page that shows it', async ({ page, api }) => {
  const long = (length: number) => uniqueWord().padEnd(length, 'm')
  const [ada, ben] = [await api.user(long(100)), await api.user(long(100))]
  const title = long(200)
  const id = await api.assignment(ada.token, { title })
  await api.grade(ada.token, await api.submission(ben.token, id, long(2000)), 20, long(5000))
  await api.submission(ben.token, id, long(2000))
  const thread = await api.comment(ben.token, id, `${long(1000)} \`${long(1000)}\``)
  await api.comment(ada.token, id, `> ${long(500)}\n\n- ${long(500)}\n\n\`\`\`\n${long(500)}\n\`\`\``, thread)
  await api.comment(
    ada.token,
    id,
    `| a | b |\n|---|---|\n| ${long(300)} | https://example.org/${long(300)} |`,
  )
  const level = (marks: number) => ({ marks, label: long(200) })
  const reviewed = await api.assignment(ada.token, {
    title: long(200),
    reviewsNeeded: 2,
    rubric: { criteria: [{ title: long(200), levels: [level(0), level(20)] }] },
  })
  const work = await api.submission(ben.token, reviewed)
  const [cem, dot] = [await api.user(long(100)), await api.user(long(100))]
  for (const { token } of [cem, dot]) await api.reviewByLevels(token, reviewed, [1], long(1000))
  await api.remind(cem.token, id)

  for (const [who, paths] of [
    [
      ben,
      [
        `/assignment/${id}`,
        `/submission/${work}/mark`,
        '/',
        '/dashboard',
        '/notifications',
        '/attemded-assignments',
        '/profile',
      ],
    ],
    [
      ada,
      [
        `/assignment/${id}`,
        `/assignment/${reviewed}`,
        `/assignment/update/${id}`,
        '/dashboard',
        '/notifications',
        '/assignments',
      ],
    ],
    [cem, ['/', '/dashboard', '/reviews', '/pending-assignments', `/assignment/${reviewed}`]],
  ] as const) {
    await signIn(page, who, '/about-Us')
    for (const path of paths) {
      await page.goto(path)
      await expect(page.getByRole('main').getByText(/m{30}/).first()).toBeAttached()
      await expect(page.getByRole('progressbar')).toHaveCount(0)
      if (who === ada && path.startsWith('/assignment/') && !path.includes('update'))
        for (const name of ['Who owes what', 'Average and outliers'])
          await expect(page.getByRole('region', { name })).toBeVisible()
      for (const width of [320, 768, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        expect.soft(await sideways(page), `${path} at ${width}`).toBeLessThanOrEqual(0)
      }
    }
  }
})
