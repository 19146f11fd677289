import { signIn } from '../support/api'
import { expectToast, goTo, login, uniqueWord } from '../support/product'
import { expect, test, type Page } from '../support/test'

/** Sessions while servers are away and other people use the same browser. */

const away = { status: 503, headers: { 'Retry-After': '1' }, json: { code: 'unavailable', detail: 'Away.' } }

/** Removes the session from the page's HTML, as from a server that does not know it. */
async function withoutSession(page: Page, path: string): Promise<void> {
  await page.route(`**${path}`, async (route) => {
    const response = await route.fetch()
    const html = await response.text()
    const body = html
      .replace(
        /<div id="root".*<\/div>(?=\s*<script type="application\/json" id="boot">)/s,
        '<div id="root"></div>',
      )
      .replace(/"session":(null|\{[^}]*\}),/, '')
    expect(body).not.toContain('"session"')
    await route.fulfill({ response, body })
  })
}

test('a server that does not know the session signs no user out', async ({ page, api, consoleErrors }) => {
  consoleErrors.allow(/503/)
  await login(page, await api.user('Ada'))
  await withoutSession(page, '/pending-assignments')
  await page.route('**/api/auth/session', (route) => route.fulfill(away))
  await page.goto('/pending-assignments')
  await expect(page.getByRole('alert').filter({ hasText: 'Away.' })).toBeVisible()
  await expect(page).toHaveURL(/\/pending-assignments$/)
  await page.unroute('**/api/auth/session')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Pending Assignments' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
})

test('an unknown session is asked for again without a press', async ({ page, api, consoleErrors }) => {
  consoleErrors.allow(/503/)
  await login(page, await api.user('Ada'))
  await withoutSession(page, '/assignments')
  let asked = 0
  await page.route('**/api/auth/session', (route) => (asked++ === 0 ? route.fulfill(away) : route.fallback()))
  await page.goto('/assignments')
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
})

test('a lost answer after another tab’s change signs no user out', async ({
  page,
  context,
  api,
  consoleErrors,
}) => {
  consoleErrors.allow(/503/)
  await login(page, await api.user('Ada'))
  await goTo(page, 'Pending Assignments')
  const other = await context.newPage()
  await other.goto('/profile')
  await page.route('**/api/auth/session', (route) => route.fulfill(away))
  const asked = page.waitForResponse('**/api/auth/session')
  await other.getByRole('textbox', { name: 'Name', exact: true }).fill('Ada Lovelace')
  await other.getByRole('button', { name: 'Save' }).click()
  await expectToast(other, 'Profile saved')
  await asked
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
  await page.unroute('**/api/auth/session')
  // It is requested again, and the user stayed on the page meanwhile.
  await expect(page.getByRole('img', { name: 'Ada Lovelace' })).toBeVisible()
  await expect(page).toHaveURL(/\/pending-assignments$/)
})

test('drafts belong to their user: after signing out in another tab', async ({
  page,
  context,
  api,
  consoleErrors,
}) => {
  // The server refuses a tab's call at the moment in which another tab signs out.
  consoleErrors.allow(/401.*\/api\//)
  await login(page, await api.user('Ada'))
  await goTo(page, 'Create Assignment')
  const title = page.getByRole('textbox', { name: 'Title' })
  await title.fill('Between us')
  const other = await context.newPage()
  await other.goto('/about-Us')
  await other.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/auth\/login$/)
  await login(other, await api.user('Ben'))
  await expect(page.getByRole('img', { name: 'Ben' })).toBeVisible()
  await page.goto('/create-assignment')
  await expect(page.getByRole('button', { name: 'Create Assignment' })).toBeEnabled()
  await expect(title).toHaveValue('')
})

test('drafts belong to their user: after an expired session', async ({ page, api }) => {
  await login(page, await api.user('Ada'))
  await goTo(page, 'Create Assignment')
  const title = page.getByRole('textbox', { name: 'Title' })
  await title.fill(`Kept ${uniqueWord()}`)
  await page.context().clearCookies()
  await page.reload()
  await expect(page).toHaveURL(/\/auth\/login$/)
  await login(page, await api.user('Ben'))
  await expect(page.getByRole('heading', { level: 1, name: 'Create Assignment' })).toBeVisible()
  await expect(title).toHaveValue('')
})

test('signing out during a renewal, here or in another tab, stays', async ({
  page,
  context,
  api,
  consoleErrors,
}) => {
  consoleErrors.allow(/401/)
  for (const where of ['here', 'in another tab']) {
    const ada = await api.user('Ada')
    const tab = await context.newPage()
    await tab.clock.install()
    await signIn(tab, ada, '/dashboard')
    await expect(tab.getByRole('button', { name: 'Logout' })).toBeVisible()
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    const asked = tab.waitForRequest('**/api/auth/session')
    let answered: Promise<void> | undefined
    await tab.route('**/api/auth/session', async (route) => {
      const late = async () => {
        const response = await route.fetch()
        await released
        await route.fulfill({ response })
      }
      answered = late()
      await answered
    })
    // The access token is old by now, and the next call renews it.
    await tab.clock.fastForward('14:00')
    await tab
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'My Attempted Assignments' })
      .click()
    await asked
    if (where === 'here') await tab.getByRole('button', { name: 'Logout' }).click()
    else {
      await page.goto('/about-Us')
      await page.getByRole('button', { name: 'Logout' }).click()
      await expect(tab).toHaveURL(/\/auth\/login$/)
    }
    release()
    await expect(tab).toHaveURL(/\/auth\/login$/)
    await answered
    await tab.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
    await expect(tab.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
    await tab.unroute('**/api/auth/session')
    await tab.reload()
    await expect(tab.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
    await tab.close()
  }
})
