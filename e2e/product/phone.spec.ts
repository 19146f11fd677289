import type { Locator } from '@playwright/test'
import { checkOnce } from '../support/accessible'
import { signIn, type User } from '../support/api'
import { settled } from '../support/everywhere'
import { uniqueWord } from '../support/product'
import { expect, test, type Page } from '../support/test'

/** How much of a phone's screen the rows of a table take. */

const heightOf = async (shown: Locator) => (await shown.boundingBox())?.height ?? Infinity

test.use({ viewport: { width: 390, height: 844 } })

test('ten submissions, and five that wait', async ({ page, api }) => {
  const [ada, ben, cleo] = [await api.user('Ada'), await api.user('Ben'), await api.user('Cleo')]
  for (let n = 0; n < 10; n++) {
    const id = await api.assignment(ada.token, { title: `Tides and the moon, part ${n} ${uniqueWord()}` })
    const submission = await api.submission(ben.token, id)
    if (n < 5) await api.grade(cleo.token, submission, 15, 'You name both bulges. The neap tide is missing.')
  }
  await signIn(page, ben, '/attemded-assignments')
  const own = page.getByRole('table', { name: 'What you handed in' })
  await expect(own.getByRole('row')).toHaveCount(11)
  await expect.poll(() => heightOf(own)).toBeLessThan(1_400)
  await page.goto('/pending-assignments')
  const pending = page.getByRole('table', { name: 'Submissions waiting for a grade' })
  await expect(pending.getByRole('row').filter({ hasText: 'Tides' })).not.toHaveCount(0)
  const first = pending.getByRole('row').filter({ hasText: 'Tides' }).first()
  await expect.poll(() => heightOf(first)).toBeLessThan(170)
})

test('the members of a circle', async ({ page, api }) => {
  const ada = await api.user('Ada')
  const circle = await api.circle(ada.token, { name: uniqueWord() })
  const link = await api.invite(ada.token, circle, { role: 'member' })
  for (let n = 0; n < 24; n++) await api.join((await api.user(`Member ${n}`)).token, link)
  await signIn(page, ada, `/circle/${circle}?tab=members`)
  const members = page.getByRole('table', { name: 'Members' })
  await expect(members.getByRole('row')).toHaveCount(26)
  await expect.poll(() => heightOf(members)).toBeLessThan(1_600)
  for (const row of await members.locator('tbody tr').all())
    expect(await heightOf(row)).toBeLessThanOrEqual(64)
})

/** Words of at most twelve letters that stand on two lines. */
const brokenWords = (page: Page) =>
  page.evaluate(() => {
    const broken: string[] = []
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      if (!node.parentElement?.checkVisibility()) continue
      for (const word of node.textContent?.matchAll(/\p{L}{2,12}/gu) ?? []) {
        const range = document.createRange()
        range.setStart(node, word.index)
        range.setEnd(node, word.index + word[0].length)
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
        if (lines.size > 1) broken.push(`${word[0]} in ${node.textContent}`)
      }
    }
    return broken
  })

test('no page breaks a word of usual length', async ({ page, newPerson, api }) => {
  const people = ['Ada', 'Ben', 'Cleo', 'Dan'].map((name) => api.user(name))
  const [ada, ben, cleo, dan] = (await Promise.all(people)) as [User, User, User, User]
  const circleId = await api.circle(ada.token, { name: uniqueWord() })
  const link = await api.invite(ada.token, circleId)
  for (const { token } of [ben, cleo, dan]) await api.join(token, link)
  const levels = [0, 5, 10].map((marks) => ({
    label: ['Hardly', 'Partly', 'Completely'][marks / 5] ?? '',
    marks,
  }))
  const rubric = { criteria: ['Argument', 'Presentation'].map((title) => ({ title, levels })) }
  const of = { title: 'Tides', circleId, reviewsNeeded: 2, rubric }
  const id = await api.assignment(ada.token, of)
  const work = await api.submission(ben.token, id)
  for (const { token } of [cleo, dan]) await api.reviewByLevels(token, id, [1, 2], 'Good.')
  const student = await newPerson()
  await student.setViewportSize({ width: 390, height: 844 })
  await signIn(student, ben, '/attemded-assignments')
  await signIn(page, ada, `/assignment/${id}`)
  const places: [Page, string[]][] = [
    [
      student,
      ['/attemded-assignments', `/submission/${work}/mark`, `/assignment/${id}`, '/dashboard', '/profile'],
    ],
    [
      page,
      [
        `/circle/${circleId}?tab=members`,
        `/circle/${circleId}?tab=marks`,
        `/circle/${circleId}?tab=settings`,
        '/circles',
        '/pending-assignments',
        '/notifications',
        '/create-assignment',
        `/submission/${work}/mark`,
        `/assignment/${id}`,
      ],
    ],
  ]
  for (const [tab, paths] of places) {
    for (const path of paths) {
      await tab.goto(path)
      await settled(tab)
      expect.soft(await brokenWords(tab), path).toEqual([])
    }
  }
  await page.getByRole('button', { name: 'Open', exact: true }).first().click()
  await expect(page.getByRole('region', { name: 'Rubric matrix' })).toBeVisible()
  expect(await brokenWords(page)).toEqual([])
})

test('shortcuts end the screen from the first HTML on, and cover neither actions nor the end of a page', async ({
  page,
  api,
}) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const id = await api.assignment(ada.token, { title: uniqueWord() })
  await signIn(page, ben, `/assignment/${id}`)
  const shortcuts = page.getByRole('navigation', { name: 'Shortcuts' })
  expect(await (await page.request.get('/')).text()).toContain('aria-label="Shortcuts"')
  const take = page.getByRole('button', { name: 'Take Assignment' })
  await expect(take).toBeEnabled()
  const barTop = async () => (await shortcuts.boundingBox())?.y ?? NaN
  const endOf = async (shown: Locator) => {
    const box = await shown.boundingBox()
    return box ? box.y + box.height : NaN
  }
  expect(await endOf(take)).toBeLessThan(await barTop())
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  await expect
    .poll(async () => (await endOf(page.getByRole('contentinfo'))) <= (await endOf(take)))
    .toBe(true)
  await shortcuts.getByRole('link', { name: 'Circles' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Circles' })).toBeFocused()
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  await expect.poll(async () => (await endOf(page.getByRole('contentinfo'))) <= (await barTop())).toBe(true)
  await checkOnce(page, 'shortcuts')
  await page.emulateMedia({ media: 'print' })
  await expect(shortcuts).toBeHidden()
})
