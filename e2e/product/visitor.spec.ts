import { card, uniqueWord } from '../support/product'
import { expect, test } from '../support/test'

test.describe('the main layout', () => {
  test('shows a visitor the way in', async ({ page }) => {
    await page.goto('/')
    await expect(page).toHaveTitle('home')
    const header = page.getByRole('banner')
    const nav = header.getByRole('navigation', { name: 'Main' })
    await expect(nav.getByRole('link')).toHaveText(['Home', 'Assignments', 'About Us'])
    await expect(header.getByRole('link', { name: 'Register' })).toHaveAttribute('href', '/auth/register')
    await expect(header.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/auth/login')
    await expect(header.getByRole('button', { name: 'Logout' })).toHaveCount(0)
    await expect(header.getByRole('img', { name: 'Guest' })).toBeVisible()
  })

  test('has a footer with tagline, year, classroom and two networks', async ({ page }) => {
    await page.goto('/')
    const footer = page.getByRole('contentinfo')
    await expect(footer).toContainText(`© ${new Date().getFullYear()} StudyCircle`)
    await expect(footer.getByRole('link')).toHaveCount(3)
  })

  test('switches to dark and back, and remembers it', async ({ page }) => {
    await page.goto('/')
    const dark = page.getByRole('switch', { name: 'Dark mode' })
    await expect(dark).not.toBeChecked()
    await dark.click()
    await expect(dark).toBeChecked()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await page.reload()
    await expect(dark).toBeChecked()
    await dark.click()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  })

  test('follows the system until a theme is chosen', async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto('/assignments')
    await expect(page.getByRole('switch', { name: 'Dark mode' })).toBeChecked()
    await page.emulateMedia({ colorScheme: 'light' })
    await expect(page.getByRole('switch', { name: 'Dark mode' })).not.toBeChecked()
  })

  test('folds its menu on a small screen', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 700 })
    await page.goto('/about-Us')
    const nav = page.getByRole('navigation', { name: 'Main' })
    await expect(nav).toBeHidden()
    const menu = page.getByRole('button', { name: 'Menu' })
    await expect(menu).toHaveAttribute('aria-expanded', 'false')
    await menu.click()
    await expect(page.getByRole('link', { name: 'Login' })).toBeVisible()
    await nav.getByRole('link', { name: 'Assignments' }).click()
    await expect(page).toHaveURL(/\/assignments$/)
    await expect(nav).toBeHidden()
  })
})

test.describe('routes', () => {
  test('of the other spellings lead to the specified ones', async ({ page }) => {
    await page.goto('/about-us')
    await expect(page).toHaveURL(/\/about-Us$/)
    await expect(page).toHaveTitle('About Us | StudyCircle')
    await page.goto('/attempted-assignments')
    await expect(page).toHaveURL(/\/auth\/login$/)
  })

  test('that do not exist show the not-found page with status 404', async ({ page, consoleErrors }) => {
    consoleErrors.allow(/404/)
    const answer = await page.goto('/no/such/page')
    expect(answer?.status()).toBe(404)
    await expect(page.getByRole('heading', { level: 1, name: 'Error !Page not found' })).toBeVisible()
    await expect(page).toHaveTitle('Error !Page not found')
    await page.getByRole('link', { name: 'Back to Home' }).click()
    await expect(page).toHaveURL(/\/$/)
    await expect(page).toHaveTitle('home')
  })

  test('of an assignment that does not exist do the same', async ({ page, consoleErrors }) => {
    consoleErrors.allow(/404/)
    const answer = await page.goto('/assignment/no-such-assignment')
    expect(answer?.status()).toBe(404)
    await expect(page.getByRole('heading', { level: 1, name: 'Error !Page not found' })).toBeVisible()
  })

  for (const [path, heading] of [
    ['/pending-assignments', 'Pending Assignments'],
    ['/create-assignment', 'Create Assignment'],
    ['/attemded-assignments?page=1', 'My Submitted Assignments'],
    ['/dashboard', 'Dashboard'],
    ['/profile', 'Profile'],
  ] as const) {
    test(`${path} is for users, who come back to it after signing in`, async ({ page, api }) => {
      const { email, password } = await api.user('Ada')
      const answer = await page.goto(path)
      expect(answer?.status()).toBe(200)
      await expect(page).toHaveURL(/\/auth\/login$/)
      // The way over Register and back keeps where one came from.
      await page.getByRole('main').getByRole('link', { name: 'Register' }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'Register' })).toBeVisible()
      await page.getByRole('main').getByRole('link', { name: 'Login' }).click()
      await page.getByRole('banner').getByRole('link', { name: 'Register' }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'Register' })).toBeVisible()
      await page.getByRole('banner').getByRole('link', { name: 'Login' }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible()
      await page.getByRole('textbox', { name: 'Email' }).fill(email)
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Login', exact: true }).click()
      await expect(page).toHaveURL((url) => url.pathname + url.search === path)
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
    })
  }

  test('a false way back is not taken', async ({ page, api }) => {
    const { email, password } = await api.user('Ada')
    await page.goto('/auth/login')
    await page.evaluate(() => history.replaceState({ usr: { from: '//evil.example' }, key: 'x', idx: 0 }, ''))
    await page.reload()
    await page.getByRole('textbox', { name: 'Email' }).fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await expect(page).toHaveTitle('home')
  })
})

test('a green spinner fills the screen until the session is known', async ({ page }) => {
  await page.route('**/pending-assignments', async (route) => {
    const response = await route.fetch()
    const html = await response.text()
    expect(html).toContain('"session":null')
    await route.fulfill({ response, body: html.replace('"session":null,', '') })
  })
  let answer = () => {}
  const asked = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/api/auth/session', async (route) => {
    await asked
    await route.continue()
  })
  await page.goto('/pending-assignments')
  const spinner = page.getByRole('status', { name: 'Loading', exact: true })
  await expect(spinner).toBeVisible()
  // The drawn one makes way for the app's own.
  await expect
    .poll(async () => (await spinner.boundingBox())?.height)
    .toBeGreaterThanOrEqual(page.viewportSize()?.height ?? 0)
  const colour = () => spinner.evaluate((element) => getComputedStyle(element, '::after').borderTopColor)
  await expect.poll(colour).toBe('rgb(11, 107, 79)')
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(0)
  answer()
  await expect(page).toHaveURL(/\/auth\/login$/)
  await expect(spinner).toHaveCount(0)
})

test('a visitor is sent to sign in from Update and Delete', async ({ page, api }) => {
  const { token } = await api.user('Ada')
  const word = uniqueWord()
  await api.assignment(token, { title: word })
  await page.goto(`/assignments?search=${word}`)
  await card(page, word).getByRole('button', { name: 'Delete' }).click()
  await expect(page).toHaveURL(/\/auth\/login$/)
  await page.goBack()
  await card(page, word).getByRole('link', { name: 'Update' }).click()
  await expect(page).toHaveURL(/\/auth\/login$/)
})

test('a picture that failed before the script arrived', async ({ page, api, consoleErrors }) => {
  consoleErrors.allow(/404/)
  const ada = await api.user('Ada')
  const word = uniqueWord()
  const id = await api.assignment(ada.token, { title: word })
  await page.route(`**/favicon.svg`, (route) => route.fulfill({ status: 404 }))
  // The script comes long after the picture.
  await page.route('**/assets/*.js', async (route) => {
    await pictureFailed
    await route.continue()
  })
  const pictureFailed = page.waitForResponse('**/favicon.svg')
  await page.goto(`/assignment/${id}`)
  await expect(page.getByRole('main').locator('img')).toHaveCount(0)
})
