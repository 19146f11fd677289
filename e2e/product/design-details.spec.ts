import type { Locator } from '@playwright/test'
import { checkOnce } from '../support/accessible'
import { signIn } from '../support/api'
import { expect, test } from '../support/test'

/** A part that loads replaces the placeholder that was found first. */
const box = async (of: Locator) => {
  let found = { x: 0, y: 0, width: 0, height: 0 }
  await expect
    .poll(async () => {
      const drawn = await of.boundingBox()
      found = drawn ?? found
      return drawn !== null
    })
    .toBe(true)
  return found
}

test('an Arabic description begins where its title begins', async ({ page, api }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  const ada = await api.user('Ada')
  const title = 'قصة قصيرة عن البحر'
  const id = await api.assignment(ada.token, {
    title,
    description: 'اكتب قصة قصيرة عن البحر في مئة كلمة. '.repeat(12),
  })
  await page.goto(`/assignment/${id}`)
  const [heading, text] = [page.getByRole('heading', { level: 1 }), page.getByText('اكتب قصة')]
  const [above, below] = [await box(heading), await box(text)]
  expect(above.x + above.width).toBeCloseTo(below.x + below.width, 0)
})

test('Report stands in line with what is above it, and the discussion as wide as the description', async ({
  page,
  api,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  const id = await api.assignment((await api.user('Ada')).token, { title: 'Tides' })
  await signIn(page, await api.user('Ben'), `/assignment/${id}`)
  const report = page.getByRole('button', { name: 'Report' })
  const term = await box(page.getByText('Created by', { exact: true }))
  const start = await report.evaluate((button) => {
    const range = document.createRange()
    range.selectNodeContents(button)
    return range.getBoundingClientRect().x
  })
  expect(start).toBeCloseTo(term.x, 0)
  const title = await box(page.getByRole('heading', { level: 1 }))
  const composer = await box(page.getByRole('textbox', { name: 'Comment' }))
  expect(composer.x + composer.width).toBeLessThanOrEqual(title.x + title.width + 2)
  expect(composer.x + composer.width).toBeGreaterThan(title.x + title.width - 24)
})

test('an email address breaks after its @, never before', async ({ page, api }) => {
  await page.setViewportSize({ width: 320, height: 700 })
  const ada = await api.user('Ada')
  await signIn(page, ada, '/profile')
  await page.getByText(ada.email.split('@')[0] ?? '').waitFor()
  const parts = await page.getByText(ada.email, { exact: true }).evaluate((element) => {
    const [local, , domain] = element.childNodes
    return [local?.textContent?.at(-1), element.querySelectorAll('wbr').length, domain?.textContent?.[0]]
  })
  expect(parts[0]).toBe('@')
  expect(parts[1]).toBe(1)
  expect(parts[2]).not.toBe('@')
})

test('a collapsed text fades out before its button', async ({ page, api }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const id = await api.submission(ben.token, await api.assignment(ada.token, { title: 'Tides' }))
  await api.grade(ada.token, id, 5, 'Well argued, with an example for each of the claims. '.repeat(20))
  await signIn(page, ben, '/attemded-assignments')
  const button = page.getByRole('button', { name: 'Show all' })
  await button.waitFor()
  const fade = await button.evaluate((element) => {
    const { width, backgroundImage } = getComputedStyle(element, '::before')
    return { width: parseFloat(width), backgroundImage }
  })
  expect(fade.width).toBeGreaterThan(24)
  expect(fade.backgroundImage).toContain('linear-gradient')
})

test('axe on the page of the API', async ({ page }) => {
  await page.goto('/api/docs')
  await expect(page.getByRole('heading', { level: 1, name: 'StudyCircle API' })).toBeVisible()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      await checkOnce(page, `API page, ${width} px, ${colorScheme}`)
    }
  }
})
