import { readFileSync } from 'node:fs'
import { goTo } from '../support/product'
import { expect, test, type Page } from '../support/test'

/** The files of texts that a page fetches, in their order. */
function watchTexts(page: Page): string[] {
  const fetched: string[] = []
  page.on('request', (request) => {
    const [, part] = /\/assets\/en-(\w+)-/.exec(request.url()) ?? []
    if (part) fetched.push(part)
  })
  return fetched
}

/** Answers with the texts of the pseudo-language, in ⟦ ⟧. */
async function usePseudoLanguage(page: Page): Promise<void> {
  for (const part of ['public', 'visit', 'app']) {
    const texts = readFileSync(`../web/.size/en-XA-${part}.js`, 'utf8')
    await page.route(`**/assets/en-${part}-*.js`, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: texts }),
    )
  }
}

test('a public page fetches its texts in one request, and the others before a page that needs them', async ({
  page,
}) => {
  const fetched = watchTexts(page)
  await page.goto('/about-Us')
  await page.getByRole('switch', { name: 'Dark mode' }).click()
  expect(fetched).toEqual(['public'])
  await page.getByRole('main').getByRole('link', { name: 'grade lab' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Grade lab' })).toBeVisible()
  expect(fetched).toEqual(['public', 'app'])
  await goTo(page, 'Home')
  await expect(page.getByRole('heading', { name: 'Awesome Features' })).toBeVisible()
  expect(fetched).toEqual(['public', 'app'])
})

test('a page whose texts fail reports it and recovers', async ({ page, consoleErrors }) => {
  consoleErrors.allow(/ERR_FAILED/)
  const texts = '**/assets/en-app-*.js*'
  await page.route(texts, (route) => route.abort())
  await page.goto('/lab')
  await expect(page.getByRole('heading', { level: 1, name: 'This page could not be shown' })).toBeVisible()
  await page.unroute(texts)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Grade lab' })).toBeVisible()
})

test('the texts of a page are in the catalogue', async ({ page, consoleErrors }) => {
  // The HTML is drawn in English.
  consoleErrors.allow(/hydrat|418|425/i)
  await usePseudoLanguage(page)
  await page.goto('/about-Us')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^⟦.*⟧$/)
  await page.goto('/lab')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^⟦.*⟧$/)
  await page.getByRole('main').locator('button').click()
  const tables = page.getByRole('main').getByRole('table')
  await expect(tables).toHaveCount(2)
  for (const heading of await tables.getByRole('columnheader').allTextContents())
    expect(heading).toMatch(/^(⟦.*⟧|SC\w+)$/)
})
