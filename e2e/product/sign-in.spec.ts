import type { Page } from '@playwright/test'
import { signIn } from '../support/api'
import { expectToast, uniqueWord } from '../support/product'
import { signInAt } from '../support/provider'
import { expect, newcomer, popupOf, test } from '../support/sign-in'

/** Sign-in through a provider's window, against two real OpenID providers. */

/** The code under the form, and the sentence beside it. */
async function expectFailure(page: Page, code: string, sentence: string): Promise<void> {
  const failure = page.getByRole('alert').filter({ has: page.getByText(code, { exact: true }) })
  await expect(failure).toBeVisible()
  await expect(failure).toContainText(sentence)
}

test('login: in a window of its own, back to the wanted page with its query, other tabs notice', async ({
  page,
  context,
  google,
}) => {
  const ada = newcomer(google, 'Ada')
  const other = await context.newPage()
  await other.goto('/about-Us')
  await page.goto('/pending-assignments?page=1&x=y')
  await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Email' }).fill('half typed')
  const popup = await popupOf(page, 'Continue with Google')
  await expect(page.getByText('Continue in the Google window.')).toBeVisible()
  const closed = popup.waitForEvent('close')
  // The toast may be gone before the window is.
  await Promise.all([expectToast(page, 'Ada your Login successfull'), signInAt(popup, ada)])
  await closed
  await expect(page).toHaveURL(/\/pending-assignments\?page=1&x=y$/)
  await expect(other.getByRole('banner').getByRole('img', { name: 'Ada' })).toBeVisible()
  await page.goto('/profile')
  await expect(page.getByText('Verified', { exact: true })).toBeVisible()
})

test('register: with any other provider, the way back carried on from the login page', async ({
  page,
  campus,
}) => {
  const ben = newcomer(campus, 'Ben')
  await page.goto('/create-assignment')
  await page.getByRole('main').getByRole('link', { name: 'Register' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Register' })).toBeVisible()
  // The toast may be gone before the window is.
  await Promise.all([
    expectToast(page, 'Ben your Register successfull'),
    signInAt(await popupOf(page, 'Continue with Campus'), ben),
  ])
  await expect(page).toHaveURL(/\/create-assignment$/)
})

test('the same person comes back to the same account', async ({ page, google }) => {
  const ada = newcomer(google, 'Ada')
  await page.goto('/auth/login')
  // The toast may be gone before the window is.
  await Promise.all([
    expectToast(page, 'Ada your Login successfull'),
    signInAt(await popupOf(page, 'Continue with Google'), ada),
  ])
  await page.goto('/profile')
  await page.getByRole('textbox', { name: 'Name' }).fill('Ada Okafor')
  await page.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Profile saved')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/auth\/login$/)
  // The provider still knows her, and its window has nothing to ask.
  await popupOf(page, 'Continue with Google')
  await expectToast(page, 'Ada Okafor your Login successfull')
})

test('a blocked window', async ({ page }) => {
  await page.addInitScript(() => (window.open = () => null))
  for (const path of ['/auth/login', '/auth/register']) {
    await page.goto(path)
    await page.getByRole('button', { name: 'Continue with Google' }).click()
    await expectFailure(page, 'auth/popup-blocked', 'Your browser blocked the sign-in window.')
  }
})

test('a closed window, and another try', async ({ page, google }) => {
  await page.goto('/auth/login')
  const popup = await popupOf(page, 'Continue with Google')
  await popup.getByRole('button', { name: 'Sign in' }).waitFor()
  await popup.close()
  await expectFailure(page, 'auth/popup-closed-by-user', 'closed before you were done')
  await expect(page.getByText('Continue in the')).toBeHidden()
  const again = await popupOf(page, 'Continue with Google')
  await expect(page.getByRole('alert')).toBeEmpty()
  // The toast may be gone before the window is.
  await Promise.all([
    expectToast(page, 'Ada your Login successfull'),
    signInAt(again, newcomer(google, 'Ada')),
  ])
})

test('a window that gives way to a newer one', async ({ page, campus }) => {
  await page.goto('/auth/login')
  const first = await popupOf(page, 'Continue with Google')
  const closed = first.waitForEvent('close')
  const second = await popupOf(page, 'Continue with Campus')
  await closed
  await expectFailure(page, 'auth/cancelled-popup-request', 'A newer sign-in window is open.')
  await expect(page.getByText('Continue in the Campus window.')).toBeVisible()
  // The toast may be gone before the window is.
  await Promise.all([
    expectToast(page, 'Ben your Login successfull'),
    signInAt(second, newcomer(campus, 'Ben')),
  ])
})

test('a refusal at the provider is reported', async ({ page, consoleErrors }) => {
  consoleErrors.allow(/400.*callback/)
  await page.goto('/auth/register')
  const popup = await popupOf(page, 'Continue with Google')
  const closed = popup.waitForEvent('close')
  await popup.getByRole('button', { name: 'Refuse' }).click({ noWaitAfter: true })
  await closed
  await expectFailure(page, 'auth/cancelled', 'The sign-in was canceled.')
})

test('a provider that is down', async ({ page, consoleErrors }) => {
  consoleErrors.allow(/503.*oidc/)
  await page.goto('/auth/login')
  const popup = await popupOf(page, 'Continue with Away')
  await expect.poll(() => popup.isClosed()).toBe(true)
  await expectFailure(
    page,
    'auth/provider-unavailable',
    'Away does not answer at the moment. Please try again later, or sign in another way.',
  )
})

test('no network, no cookies, another address', async ({ page, context, server, consoleErrors }) => {
  consoleErrors.allow(/ERR_INTERNET_DISCONNECTED/)
  await page.goto('/auth/login')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  await expectFailure(page, 'auth/network-request-failed', 'Check your connection')
  await context.setOffline(false)

  await page.goto(server.url.replace('localhost', '127.0.0.1') + '/auth/login')
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  await expectFailure(page, 'auth/unauthorized-domain', server.url)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByText(`Passkeys work at ${server.url} only.`)).toBeVisible()

  await page.addInitScript(() => Object.defineProperty(navigator, 'cookieEnabled', { value: false }))
  await page.goto(`${server.url}/auth/login`)
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  await expectFailure(page, 'auth/web-storage-unsupported', 'blocks cookies')
})

test('a session that the browser did not keep', async ({ page, google }) => {
  await page.goto('/auth/login')
  await page.route('**/api/auth/session', (route) => route.fulfill({ json: { user: null } }))
  await signInAt(await popupOf(page, 'Continue with Google'), newcomer(google, 'Ada'))
  await expectFailure(page, 'auth/web-storage-unsupported', 'blocks cookies')
})

test('messages of other origins and of other attempts are not believed', async ({
  page,
  context,
  google,
}) => {
  let sessionCalls = 0
  page.on('request', (request) => (sessionCalls += request.url().endsWith('/api/auth/session') ? 1 : 0))
  const stranger = await context.newPage()
  await stranger.goto('/about-Us')
  await page.goto('/auth/login')
  const asked = context.waitForEvent('request', (request) => request.url().includes('/oidc/google?'))
  const popup = await popupOf(page, 'Continue with Google')
  const attempt = new URL((await asked).url()).searchParams.get('attempt')
  const lie = (id: string | null) => {
    const message = {
      attempt: id,
      status: 'signed-in',
      code: '',
      message: '',
      ticket: '',
    }
    new BroadcastChannel('studycircle-sign-in').postMessage(message)
    ;(window.opener as Window | null)?.postMessage(message, '*')
  }
  await stranger.evaluate(lie, 'another attempt')
  await popup.getByRole('button', { name: 'Sign in' }).waitFor()
  expect(new URL(popup.url()).origin).toBe(google.issuer)
  await popup.evaluate(lie, attempt)
  // The toast may be gone before the window is.
  await Promise.all([
    expectToast(page, 'Ada your Login successfull'),
    signInAt(popup, newcomer(google, 'Ada')),
  ])
  expect(sessionCalls, 'asked once, for the true message').toBe(1)
})

test('an address that the provider does not vouch for', async ({ page, api, google, consoleErrors }) => {
  consoleErrors.allow(/409.*callback/)
  const { name, email } = await api.user('Ada')
  google.enrol({ name, email, email_verified: false })
  await page.goto('/auth/login')
  await signInAt(await popupOf(page, 'Continue with Google'), { email })
  await expectFailure(
    page,
    'auth/account-exists-with-different-credential',
    'An account with this email address already exists. Sign in the way you did before; then you can link this one in your profile.',
  )
})

test.describe('an account made beforehand by another person under the address', () => {
  test('is kept by its owner', async ({ page, api, google, request }) => {
    const { token, email, password } = await api.user('Ada')
    const id = await api.assignment(token, { title: uniqueWord() })
    google.enrol({ name: 'Ada Okafor', email, email_verified: true })
    await page.goto(`/assignment/update/${id}?x=y`)
    await signInAt(await popupOf(page, 'Continue with Google'), { email })
    const dialog = page.getByRole('dialog', { name: 'Is this account yours?' })
    await dialog.getByRole('button', { name: 'It is mine, keep it' }).click()
    await expectToast(page, 'Ada your Login successfull')
    await expect(page).toHaveURL(new RegExp(`/assignment/update/${id}\\?x=y$`))
    await expect(page.getByRole('heading', { level: 1, name: 'Update Assignment' })).toBeVisible()
    const old = await request.post('/api/auth/login', {
      data: { email, password },
    })
    expect(old.status(), 'the old password').toBe(401)
  })

  test('is left behind by a newcomer', async ({ page, api, google }) => {
    const { token, email } = await api.user('Mallory')
    const title = uniqueWord()
    const id = await api.assignment(token, { title })
    google.enrol({ name: 'Ada', email, email_verified: true })
    await page.goto('/auth/login')
    await signInAt(await popupOf(page, 'Continue with Google'), { email })
    const dialog = page.getByRole('dialog', { name: 'Is this account yours?' })
    await dialog.getByRole('button', { name: 'Start afresh' }).click()
    await expectToast(page, 'Ada your Login successfull')
    await page.goto(`/assignment/${id}`)
    await expect(page.getByText('Anonymous')).toBeVisible()
    await expect(page.getByText('This is your assignment.')).toBeHidden()
  })

  test('is left alone by a user who cannot decide', async ({ page, api, google }) => {
    const { email } = await api.user('Ada')
    google.enrol({ name: 'Ada', email, email_verified: true })
    await page.goto('/auth/login')
    await signInAt(await popupOf(page, 'Continue with Google'), { email })
    const dialog = page.getByRole('dialog', { name: 'Is this account yours?' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toBeHidden()
    await expect(page).toHaveURL(/\/auth\/login$/)
    await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
  })
})

test('the profile: accounts elsewhere are linked and unlinked', async ({ page, api, google }) => {
  const ada = await api.user('Ada')
  const elsewhere = newcomer(google, 'Countess')
  await signIn(page, ada, '/profile')
  const ways = page.getByRole('region', { name: 'Ways to sign in' })
  // The toast may be gone before the window is.
  await Promise.all([
    expectToast(page, 'Google is linked'),
    signInAt(await popupOf(page, 'Link Google'), elsewhere),
  ])
  await expect(ways.getByText(elsewhere.email)).toBeVisible()
  await expect(ways.getByRole('button', { name: 'Link Google' })).toBeHidden()

  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/auth\/login$/)
  await popupOf(page, 'Continue with Google')
  await expectToast(page, 'Ada your Login successfull')

  await page.goto('/profile')
  await ways.getByRole('button', { name: 'Unlink' }).click()
  await page
    .getByRole('alertdialog', { name: 'Unlink Google?' })
    .getByRole('button', { name: 'Unlink' })
    .click()
  await expectToast(page, 'Google is unlinked')
  await expect(ways.getByRole('button', { name: 'Link Google' })).toBeVisible()
})

test('the profile: another user has that account already', async ({
  page,
  newPerson: other,
  api,
  google,
  consoleErrors,
}) => {
  consoleErrors.allow(/409.*callback/)
  const taken = newcomer(google, 'Ben')
  const ben = await other()
  await ben.goto('/auth/login')
  // The toast may be gone before the window is.
  await Promise.all([
    expectToast(ben, 'Ben your Login successfull'),
    signInAt(await popupOf(ben, 'Continue with Google'), taken),
  ])
  await signIn(page, await api.user('Ada'), '/profile')
  await signInAt(await popupOf(page, 'Link Google'), taken)
  await expectFailure(
    page,
    'auth/provider-already-linked',
    'This Google account is linked to another account here.',
  )
})

test('the profile: the last way to sign in stays', async ({ page, google, consoleErrors }) => {
  consoleErrors.allow(/409/)
  await page.goto('/auth/login')
  // The toast may be gone before the window is.
  await Promise.all([
    expectToast(page, 'Ada your Login successfull'),
    signInAt(await popupOf(page, 'Continue with Google'), newcomer(google, 'Ada')),
  ])
  const answered = page.waitForResponse('**/api/auth/methods')
  await page.goto('/profile')
  const methods = (await (await answered).json()) as object
  const ways = page.getByRole('region', { name: 'Ways to sign in' })
  await expect(ways.getByText('Your account has no password.')).toBeVisible()
  await expect(ways.getByRole('button', { name: 'Unlink' })).toBeDisabled()
  await expect(ways.getByText('Your only way to sign in.')).toBeVisible()
  // The page's data says that a password exists; the server knows that it is gone.
  await page.route('**/api/auth/methods', (route) => route.fulfill({ json: { ...methods, password: true } }))
  await page.reload()
  await ways.getByRole('button', { name: 'Unlink' }).click()
  await page
    .getByRole('alertdialog', { name: 'Unlink Google?' })
    .getByRole('button', { name: 'Unlink' })
    .click()
  await expect(page.getByRole('alertdialog', { name: 'Error' })).toContainText(
    'This is the last way to sign in to your account. Add another one first.',
  )
})
