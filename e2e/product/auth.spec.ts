import type { Page } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { signIn } from '../support/api'
import { mailedLink } from '../support/mails'
import { expectToast, fillRegistration, goTo, login, newPerson, register } from '../support/product'
import { expect, test } from '../support/test'

test('registering: the names, and the greeting on the home page', async ({ page }) => {
  await page.goto('/auth/register')
  await expect(page).toHaveTitle('Register | StudyCircle')
  await expect(page.getByRole('heading', { level: 1, name: 'Register' })).toBeVisible()
  const ada = newPerson('Ada')
  await register(page, ada)
  await expect(page).toHaveTitle('home')
  const header = page.getByRole('banner')
  const picture = header.getByRole('img', { name: 'Ada' })
  await expect(picture).toHaveAttribute('title', 'Ada')
  await expect(header.getByRole('navigation', { name: 'Main' }).getByRole('link')).toHaveText([
    'Home',
    'Assignments',
    'Pending Assignments',
    'Create Assignment',
    'My Attempted Assignments',
    'Dashboard',
    'Circles',
    'About Us',
  ])
})

test('a weak password is refused with toasts, before any request', async ({ page }) => {
  let sent = 0
  page.on('request', (request) => (sent += request.url().includes('/api/auth/register') ? 1 : 0))
  await page.goto('/auth/register')
  await fillRegistration(page, { ...newPerson('Ada'), password: '123' })
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await expectToast(page, 'Password must have at least one uppercase letter', 'alert')
  await expectToast(page, 'Password must have at least one lowercase letter', 'alert')
  await expectToast(page, 'Password must be at least 6 characters', 'alert')
  expect(sent).toBe(0)
})

test('toasts go after five seconds and cover nothing of the header', async ({ page }) => {
  // Measured by the page's own clock: a busy machine may delay the test.
  await page.addInitScript(() => {
    const cameAndWent: number[] = []
    Object.assign(window, { cameAndWent })
    new MutationObserver(() => {
      const alerts = [...document.querySelectorAll('[role=alert]')]
      const there = alerts.some(({ textContent }) => textContent?.includes('lowercase'))
      if (cameAndWent.length === (there ? 0 : 1)) cameAndWent.push(performance.now())
    }).observe(document, { childList: true, subtree: true })
  })
  await page.goto('/auth/register')
  await fillRegistration(page, { ...newPerson('Ada'), password: 'ADAADA' })
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  const toast = page.getByRole('alert').filter({ hasText: 'lowercase' })
  const belowHeader = await toast.evaluate((element) => {
    const header = document.querySelector('header')
    return element.getBoundingClientRect().top - (header?.getBoundingClientRect().bottom ?? NaN)
  })
  expect(belowHeader).toBeGreaterThanOrEqual(0)
  await page.mouse.move(0, 0)
  const times = () => page.evaluate(() => (window as unknown as { cameAndWent: number[] }).cameAndWent)
  await expect.poll(times).toHaveLength(2)
  const [came = NaN, went = NaN] = await times()
  expect(went - came).toBeGreaterThan(4500)
  expect(went - came).toBeLessThan(10_000)
})

test('a taken email address is reported under the form', async ({ page, api, consoleErrors }) => {
  consoleErrors.allow(/409/)
  const { email } = await api.user('Ada')
  await page.goto('/auth/register')
  await fillRegistration(page, { ...newPerson('Ada'), email: email.toUpperCase() })
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await expect(page.getByRole('alert')).toHaveText(
    'An account with this email address already exists. Try to sign in, or reset its password.',
  )
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Ada')
  await expect(page.getByRole('button', { name: 'Register', exact: true })).toBeEnabled()
})

test('a wrong password shows the code and a plain sentence', async ({ page, api, consoleErrors }) => {
  consoleErrors.allow(/401/)
  const { email } = await api.user('Ada')
  await page.goto('/auth/login')
  await expect(page).toHaveTitle('Login | StudyCircle')
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill('No1')
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page.getByText('auth/invalid-credential')).toBeVisible()
  await expect(page.getByText('Incorrect email or password.')).toBeVisible()
  // Shown, though the sign-in was attempted.
  await expect(page.getByText('password must have 6 digit')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Login', exact: true })).toBeEnabled()
})

test('the password can be shown and hidden', async ({ page }) => {
  await page.goto('/auth/login')
  const password = page.getByLabel('Password', { exact: true })
  await password.fill('Circle1')
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect(password).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Hide password' }).click()
  await expect(password).toHaveAttribute('type', 'password')
  await expect(password).toHaveValue('Circle1')
})

test('Continue with Google is disabled and says why where it is not set up', async ({ page }) => {
  for (const path of ['/auth/login', '/auth/register']) {
    await page.goto(path)
    const google = page.getByRole('button', { name: 'Continue with Google' })
    await expect(google).toBeDisabled()
    await expect(google).toHaveAccessibleDescription('Google sign-in is not set up on this server.')
  }
})

test('signed in, the auth pages lead on; logging out leads to the login page', async ({ page, api }) => {
  const ada = await api.user('Ada')
  for (const path of ['/auth/login', '/auth/register']) {
    await signIn(page, ada, path)
    await expect(page).toHaveTitle('home')
  }
  await goTo(page, 'Create Assignment')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/auth\/login$/)
  await expectToast(page, 'Logout successful')
  // The next user to sign in is not led to the previous user's page.
  await login(page, await api.user('Ben'))
  await expect(page).toHaveTitle('home')
})

test('signing out in one tab signs the others out', async ({ page, context, api }) => {
  const bellOf = (tab: Page) => tab.waitForResponse('**/api/notifications?**')
  const asked = [page.waitForResponse('**/api/settings/time-zone'), bellOf(page)]
  await signIn(page, await api.user('Ada'), '/')
  const other = await context.newPage()
  asked.push(bellOf(other))
  await other.goto('/pending-assignments')
  await expect(other.getByRole('heading', { level: 1, name: 'Pending Assignments' })).toBeVisible()
  await Promise.all(asked) // what is on its way at the end of a session is refused
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(other).toHaveURL(/\/auth\/login$/)
  await login(page, await api.user('Ben'))
  await expect(other.getByRole('img', { name: 'Ben' })).toBeVisible()
  // Only the tab that signed out was left on purpose.
  await expect(page).toHaveTitle('home')
  await expect(other).toHaveURL(/\/pending-assignments$/)
})

test('a forgotten password is replaced through an email', async ({ page, api, server }) => {
  const ada = await api.user('Ada')
  await page.goto('/auth/login')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Forgot password' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Email' }).fill(ada.email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expect(page.getByText('an email with a link is on its way')).toBeVisible()
  await expect.poll(() => mailedLink(server.data, ada.email)).toContain('/auth/reset?token=')
  await page.goto(mailedLink(server.data, ada.email))
  await page.getByLabel('Password', { exact: true }).fill('Fresh2day')
  await page.getByRole('button', { name: 'Save the new password' }).click()
  await expect(page).toHaveURL(/\/auth\/login$/)
  await login(page, { ...ada, password: 'Fresh2day' })
})

test('a signed-in user confirms an address by the link in the email', async ({
  page,
  api,
  server,
  newPerson: other,
}) => {
  const ada = await api.user('Ada')
  await signIn(page, ada, '/profile')
  await expect(page.getByText('Not verified')).toBeVisible()
  await expect.poll(() => mailedLink(server.data, ada.email, 'verify')).toContain('token=')
  const phone = await other()
  await phone.goto(mailedLink(server.data, ada.email, 'verify'))
  await expect(phone.getByRole('link', { name: 'Choose a new password' })).toBeVisible()
  await phone.getByRole('link', { name: 'Sign in and confirm' }).click()
  await expect(phone).toHaveURL(/\/auth\/login$/)
  await phone.getByRole('textbox', { name: 'Email' }).fill(ada.email)
  await phone.getByLabel('Password', { exact: true }).fill(ada.password)
  await phone.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(phone).toHaveURL(/\/auth\/verify\?token=/)
  await phone.getByRole('button', { name: 'Confirm' }).click()
  await expect(phone.getByText('Thank you, your address is confirmed.')).toBeVisible()
  await page.goto('/profile')
  await expect(page.getByText('Verified', { exact: true })).toBeVisible()
})

test('sessions are listed and ended, and a new password ends the others', async ({
  page,
  api,
  newPerson: other,
}) => {
  const ada = await api.user('Ada')
  const elsewhere = await other()
  await login(elsewhere, ada)
  await signIn(page, ada, '/profile')
  const sessions = page.getByRole('region', { name: 'Where you are signed in' })
  await expect(sessions.getByText('This device')).toBeVisible()
  await sessions.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await expect(sessions.getByRole('listitem')).toHaveCount(1)
  await elsewhere.goto('/profile')
  await expect(elsewhere).toHaveURL(/\/auth\/login$/)
  await page.getByLabel('Current password', { exact: true }).fill(ada.password)
  await page.getByLabel('New password', { exact: true }).fill('Fresh2day')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expectToast(page, 'Password changed')
  await login(elsewhere, { ...ada, password: 'Fresh2day' })
})

test('a user downloads all of their own data', async ({ page, api }) => {
  const ada = await api.user('Ada')
  await signIn(page, ada, '/profile')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download my data' }).click()
  const file = await (await download).path()
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ profile: { email: ada.email } })
})

test('a used or altered link is reported', async ({ page, consoleErrors }) => {
  consoleErrors.allow(/422/)
  await page.goto('/auth/reset?token=altered')
  await page.getByLabel('Password', { exact: true }).fill('Fresh2day')
  await page.getByRole('button', { name: 'Save the new password' }).click()
  await expect(page.getByRole('alert')).toHaveText('This link has been used, has expired, or is incomplete.')
})

test('the profile: a new name shows in the header, and the account can be deleted', async ({ page, api }) => {
  const ada = await api.user('Ada')
  await signIn(page, ada, '/')
  await page.getByRole('banner').getByRole('link', { name: 'Ada' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Name' }).fill('Ada the Second')
  await page.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Profile saved')
  await expect(page.getByRole('banner').getByRole('img', { name: 'Ada the Second' })).toBeVisible()
  await page.getByRole('button', { name: 'Delete account' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Delete your account?' })
  await dialog.getByRole('textbox').fill('somebody@else.example')
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await expect(dialog.getByText('This is not the address of your account.')).toBeVisible()
  await dialog.getByRole('textbox').fill(ada.email)
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await expectToast(page, 'Your account is deleted')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
})
