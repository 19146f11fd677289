import { expect, test as base, type Page } from '@playwright/test'
import type { Server } from '../support/server'
import { serverWith } from '../support/test'

/** The pictures of docs/tour.md, from the sample content. They assert nothing. */
const test = base.extend<object, { demo: Server }>({
  demo: [...serverWith('--demo')],
  baseURL: async ({ demo }, use) => use(demo.url),
})

test.use({ viewport: { width: 1100, height: 760 }, contextOptions: { reducedMotion: 'reduce' } })

/** Signs in with the n-th of the sample accounts that the login page offers. */
async function signIn(page: Page, n: number) {
  await page.goto('/auth/login')
  const accounts = page.getByRole('heading', { name: 'Sample accounts' }).locator('..')
  await accounts.getByRole('button').nth(n).click()
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await page.getByText('your Login successfull').waitFor()
  await expect(page.getByText('your Login successfull')).toBeHidden()
}

async function open(page: Page, title: string) {
  await page.goto('/assignments')
  await page.getByRole('article', { name: title }).getByRole('link', { name: 'Details' }).click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
}

async function shoot(page: Page, name: string, from?: string) {
  await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0)
  if (from) {
    const part = page.getByRole('heading', { name: from }).first()
    await part.evaluate((heading) => window.scrollTo(0, heading.getBoundingClientRect().top + scrollY - 24))
  }
  await page.waitForFunction(() =>
    [...document.images].every(({ complete, loading }) => complete || loading === 'lazy'),
  )
  await page.screenshot({ path: `../docs/tour/${name}.jpg`, type: 'jpeg', quality: 72 })
}

test('the tour of a teacher', async ({ page }) => {
  await signIn(page, 0)
  await page.goto('/dashboard')
  await page.getByRole('img', { name: /^Marks by level/ }).waitFor()
  await shoot(page, 'dashboard')
  await open(page, 'Explain an eclipse to a friend')
  await shoot(page, 'results', 'Results')
  await open(page, 'Two graphs, one truth')
  await shoot(page, 'exemplars', 'Exemplars')
})

test('the tour of a student', async ({ page }) => {
  await signIn(page, 1)
  await open(page, 'Two graphs, one truth')
  await shoot(page, 'assignment')
  await page.goto('/attemded-assignments')
  await shoot(page, 'submitted')
  await page.getByRole('link', { name: 'How was my mark made?' }).first().click()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await shoot(page, 'mark')
})
