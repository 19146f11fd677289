import { fillAssignment, goTo, login, uniqueWord } from '../support/product'
import { expect, test, type Page } from '../support/test'

/** Parts of the app's code that cannot be fetched: offline, while a server restarts, after a new release. */

const failed = 'This page could not be shown'

/** No part of a browser's own message. */
async function expectNothingRaw(page: Page): Promise<void> {
  await expect(page.getByText(/dynamically imported|Failed to fetch|TypeError/)).toHaveCount(0)
}

/** Header, navigation and footer are there, whatever is between them. */
async function expectShell(page: Page): Promise<void> {
  await expect(page.getByRole('banner')).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await expect(page.getByRole('contentinfo')).toBeVisible()
}

test('a page whose code fails at the start reports it and recovers', async ({ page, consoleErrors }) => {
  consoleErrors.allow(/ERR_FAILED/)
  const code = /\/assets\/assignments-[^/]*\.js/
  await page.route(code, (route) => route.abort())
  await page.goto('/assignments')
  await expect(page.getByRole('heading', { level: 1, name: failed })).toBeVisible()
  await expectNothingRaw(page)
  const dark = page.getByRole('switch', { name: 'Dark mode' })
  await dark.click()
  await expect(dark).toBeChecked()
  await page.unroute(code)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'All Assignments' })).toBeVisible()
})

test('a page whose code fails leaves header and footer, and recovers', async ({ page, consoleErrors }) => {
  consoleErrors.allow(/ERR_FAILED/)
  const code = /\/assets\/about-[^/]*\.js/
  await page.goto('/')
  await page.route(code, (route) => route.abort())
  await goTo(page, 'About Us')
  await expect(page.getByRole('heading', { level: 1, name: failed })).toBeVisible()
  await expectNothingRaw(page)
  await expect(page.getByRole('contentinfo')).toBeVisible()
  await expect(page).toHaveURL(/\/about-Us$/)
  await page.unroute(code)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page).toHaveTitle('About Us | StudyCircle')
  await expect(page.getByRole('heading', { level: 1, name: failed })).toHaveCount(0)
})

test('a page opened offline comes by itself when the network is back', async ({
  page,
  context,
  consoleErrors,
}) => {
  consoleErrors.allow(/ERR_INTERNET_DISCONNECTED/)
  await page.goto('/')
  await context.setOffline(true)
  await goTo(page, 'Assignments')
  const failure = page.getByRole('heading', { level: 1, name: failed })
  await expect(failure).toBeVisible()
  await expectShell(page)
  await expectNothingRaw(page)
  await expect(page.getByRole('alert')).toHaveText(
    'This part could not be loaded. Check your connection and try again.',
  )
  await expect(page.getByText('You are offline.')).toBeVisible()
  const document = await page.evaluateHandle('document')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('button', { name: 'Retry' })).not.toHaveAttribute('aria-busy')
  await expect(failure).toBeVisible()
  await expectShell(page)
  await expectNothingRaw(page)
  // Not the browser's own page: it is still the same document, and the rest of it works.
  expect(await document.evaluate((same) => same === window.document)).toBe(true)
  await goTo(page, 'Home')
  await expect(page.getByRole('link', { name: 'Get Started' })).toBeVisible()
  await goTo(page, 'Assignments')
  await expect(failure).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByRole('heading', { level: 1, name: 'All Assignments' })).toBeVisible()
  await expect(page).toHaveURL(/\/assignments$/)
})

test('a card pressed offline stays in the app', async ({ page, context, api, consoleErrors }) => {
  consoleErrors.allow(/ERR_INTERNET_DISCONNECTED/)
  const ada = await api.user('Ada')
  const title = uniqueWord()
  await api.assignment(ada.token, { title })
  await page.goto('/assignments')
  const card = page.getByRole('link', { name: title }).first()
  await expect(card).toBeVisible()
  // Before the app is there, the browser would follow the link.
  await expect(page.getByRole('combobox', { name: 'Level' })).toBeEnabled()
  await context.setOffline(true)
  await card.click()
  await expect(page.getByRole('alert')).toContainText('Check your connection and try again.')
  await expectShell(page)
  await expectNothingRaw(page)
  await context.setOffline(false)
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
})

test('a dialog whose code fails reports it in its place', async ({ page, api, consoleErrors }) => {
  consoleErrors.allow(/ERR_FAILED/)
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const id = await api.assignment(ada.token, { title: uniqueWord() })
  const code = /\/assets\/submit-dialog-[^/]*\.js/
  await login(page, ben)
  await page.goto(`/assignment/${id}`)
  await page.route(code, (route) => route.abort())
  await page.getByRole('button', { name: 'Take Assignment' }).click()
  const dialog = page.getByRole('dialog', { name: 'Submit Assignment' })
  await expect(dialog.getByRole('button', { name: 'Retry' })).toBeVisible()
  await expectNothingRaw(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toHaveCount(0)
  await page.getByRole('button', { name: 'Take Assignment' }).click()
  await expect(dialog.getByRole('button', { name: 'Retry' })).toBeVisible()
  await page.unroute(code)
  await dialog.getByRole('button', { name: 'Retry' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Google Docs Link' })).toBeVisible()
})

test('after a new release a missing page reloads once and keeps drafts', async ({
  page,
  api,
  consoleErrors,
}) => {
  consoleErrors.allow(/404/)
  await login(page, await api.user('Ada'))
  await page.goto('/create-assignment')
  const title = `Kept ${uniqueWord()}`
  await fillAssignment(page, { title })
  let released = false
  await page.route(/\/assets\/about-[^/]*\.js/, (route) =>
    released ? route.fallback() : route.fulfill({ status: 404 }),
  )
  await page.route(/\/$/, (route) =>
    released || route.request().resourceType() !== 'fetch'
      ? route.fallback()
      : route.fulfill({
          contentType: 'text/html',
          body: '<script type="module" src="/assets/index-new.js">',
        }),
  )
  page.on('request', (request) => {
    if (request.isNavigationRequest()) released = true
  })
  await goTo(page, 'About Us')
  await expect(page).toHaveTitle('About Us | StudyCircle')
  await expect(page.getByRole('heading', { level: 1, name: failed })).toHaveCount(0)
  expect(released).toBe(true)
  await goTo(page, 'Create Assignment')
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue(title)
})

test('a release that never comes does not reload for ever', async ({ page, consoleErrors }) => {
  consoleErrors.allow(/404/)
  await page.goto('/')
  await page.route(/\/assets\/about-[^/]*\.js/, (route) => route.fulfill({ status: 404 }))
  await page.route(/\/$/, (route) =>
    route.request().resourceType() === 'fetch'
      ? route.fulfill({ contentType: 'text/html', body: '<script type="module" src="/assets/index-new.js">' })
      : route.fallback(),
  )
  await goTo(page, 'About Us')
  await expect(page.getByRole('heading', { level: 1, name: failed })).toBeVisible()
  await expect(page.getByText('The site has been updated.')).toBeVisible()
})

test('an offline failure is shown, although the code of toasts was never loaded', async ({
  page,
  context,
  api,
  consoleErrors,
}) => {
  consoleErrors.allow(/ERR_INTERNET_DISCONNECTED/)
  const { email, password } = await api.user('Ada')
  // On a page that shows no message, and so has not loaded its code.
  await page.request.post('/api/auth/login', { data: { email, password } })
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Logout failed' })).toBeVisible()
})
