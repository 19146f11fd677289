import type { Locator } from '@playwright/test'
import { signIn, type Api, type User } from '../support/api'
import { holdScripts } from '../support/hydration'
import { uniqueWord } from '../support/product'
import { expect, test, type Page } from '../support/test'

/** The page of an assignment, as those see it who read its results: all of it, or one part at a time. */

const tabs = (page: Page) => page.getByRole('tablist', { name: 'Parts of this assignment' })
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const heightOf = async (shown: Locator) => (await shown.boundingBox())?.height ?? Infinity

/** An assignment of Ada's that three people review; two reviews are given. */
async function handedIn(api: Api): Promise<{ ada: User; ben: User; id: string; description: string }> {
  const people = ['Ada', 'Ben', 'Cleo', 'Dan', 'Eva'].map((name) => api.user(name))
  const [ada, ...others] = (await Promise.all(people)) as [User, User, User, User, User]
  const description = `Tides ${uniqueWord()}`
  const levels = [0, 20].map((marks) => ({ label: `Level ${marks}`, marks }))
  const rubric = { criteria: [{ title: 'Argument', levels }] }
  const id = await api.assignment(ada.token, { title: uniqueWord(), description, reviewsNeeded: 3, rubric })
  for (const { token } of others) await api.submission(token, id)
  for (const { token } of others.slice(0, 2)) await api.reviewByLevels(token, id, [1], 'Good.')
  return { ada, ben: others[0], id, description }
}

test('figures and tabs: all of the page, or one part', async ({ page, newPerson, api }) => {
  const { ada, ben, id, description } = await handedIn(api)
  await signIn(page, ada, `/assignment/${id}`)
  await expect(tabs(page).getByRole('tab')).toHaveText(['All', 'Task', 'Work (4)', 'Exemplars', 'Discussion'])
  await expect(page.getByText(/^4 in · [12] to finalize$/)).toBeVisible()
  const task = page.getByText(description)
  await expect(tabs(page).getByRole('tab', { name: 'All' })).toHaveAttribute('aria-selected', 'true')
  for (const part of [task, page.getByText('This is your assignment.')]) await expect(part).toBeVisible()
  for (const name of ['Results', 'Exemplars', 'Discussion']) await expect(region(page, name)).toBeVisible()

  await tabs(page).getByRole('tab', { name: 'Work (4)' }).click()
  await expect(page).toHaveURL(`/assignment/${id}?tab=work`)
  await expect(region(page, 'Results')).toBeVisible()
  await expect(task).toBeHidden()
  for (const name of ['Exemplars', 'Discussion']) await expect(region(page, name)).toBeHidden()
  await page.reload()
  await expect(region(page, 'Results').getByRole('table', { name: 'What was handed in' })).toBeVisible()
  await expect(task).toBeHidden()

  await tabs(page).getByRole('tab', { name: 'Work (4)' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText(['Exemplars'])
  await tabs(page).getByRole('tab', { name: 'Discussion' }).click()
  await region(page, 'Discussion').getByRole('textbox', { name: 'Write a comment' }).fill('Read chapter 2.')
  await region(page, 'Discussion').getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(region(page, 'Discussion').getByRole('article')).toContainText('Read chapter 2.')
  await expect(region(page, 'Results')).toBeHidden()

  await tabs(page).getByRole('tab', { name: 'Task' }).click()
  await expect(task).toBeVisible()
  await page.getByRole('link', { name: 'Results', exact: true }).click()
  await expect(region(page, 'Results').getByRole('heading', { name: 'Results' })).toBeFocused()

  const other = await newPerson()
  await signIn(other, ben, `/assignment/${id}`)
  await expect(other.getByText(description)).toBeVisible()
  await expect(region(other, 'Discussion')).toBeVisible()
  await expect(tabs(other)).toHaveCount(0)
})

test('on a desktop a submission takes one row of about 44 px', async ({ page, api }) => {
  const { ada, id } = await handedIn(api)
  await page.setViewportSize({ width: 1280, height: 900 })
  await signIn(page, ada, `/assignment/${id}?tab=work`)
  const rows = region(page, 'Results').getByRole('row').filter({ hasText: 'reviews' })
  await expect(rows).toHaveCount(4)
  for (const row of await rows.all()) expect(await heightOf(row)).toBeLessThan(50)
})

test('the first HTML has the title, the tabs’ room and the task where the app draws them', async ({
  page,
  api,
}) => {
  const { ada, id, description } = await handedIn(api)
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    const topOf = async () => ({
      title: (await page.getByRole('heading', { level: 1 }).boundingBox())?.y,
      about: (await page.getByRole('complementary', { name: 'About this assignment' }).boundingBox())?.y,
      task: (await page.getByText(description).boundingBox())?.x,
    })
    const release = await holdScripts(page)
    await page.context().addCookies(ada.cookies)
    await page.goto(`/assignment/${id}`, { waitUntil: 'commit' })
    await expect(page.getByText(description)).toBeVisible()
    await page.evaluate(() => document.fonts.ready)
    const before = await topOf()
    release()
    await expect(tabs(page)).toBeVisible()
    expect(await topOf()).toEqual(before)
    await page.unroute('**/assets/*.js')
  }
})

test('the task precedes its picture, which is at most 160 px high', async ({ page, api }) => {
  const ada = await api.user('Ada')
  const id = await api.assignment(ada.token, { title: uniqueWord(), description: 'Say what you think.' })
  await page.goto(`/assignment/${id}`)
  const picture = page.getByRole('main').locator('img[src$="/favicon.svg"]')
  await expect(picture).toBeVisible()
  await expect.poll(() => heightOf(picture)).toBeLessThanOrEqual(160)
  const task = page.getByText('Say what you think.')
  expect((await task.boundingBox())?.y).toBeLessThan((await picture.boundingBox())?.y ?? 0)
})

test('on a phone a submission takes no line for what it lacks', async ({ page, api }) => {
  const { ada, id } = await handedIn(api)
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, ada, `/assignment/${id}?tab=work`)
  const rows = region(page, 'Results').getByRole('row').filter({ hasText: 'reviews' })
  await expect(rows).toHaveCount(4)
  for (const row of await rows.all()) expect(await heightOf(row)).toBeLessThan(185)
})
