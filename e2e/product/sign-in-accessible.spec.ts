import { check, phone } from '../support/accessible'
import { expectToast } from '../support/product'
import { signInAt } from '../support/provider'
import { addDevice, expect, newcomer, popupOf, test, type Page } from '../support/sign-in'

/** axe on the states of signing in beside a password, in both themes, where there is least room. */

test.use(phone)

const checkPhone = (page: Page, state: string) => check(page, state, [320])

test('signing in', async ({ page, api, google }) => {
  await page.goto('/auth/login')
  await (await popupOf(page, 'Continue with Google')).close()
  await expect(page.getByText('auth/popup-closed-by-user')).toBeVisible()
  await checkPhone(page, 'a failure under the form')
  const { name, email } = await api.user('Ada')
  google.enrol({ name, email, email_verified: true })
  const popup = await popupOf(page, 'Continue with Google')
  await checkPhone(page, 'a window is open')
  await signInAt(popup, { email })
  await expect(page.getByRole('dialog', { name: 'Is this account yours?' })).toBeVisible()
  await checkPhone(page, 'the question')
})

test('the profile', async ({ page, google }) => {
  await addDevice(page)
  await page.goto('/auth/register')
  // The toast may be gone before the window is.
  await Promise.all([
    expectToast(page, 'Ada your Register successfull'),
    signInAt(await popupOf(page, 'Continue with Google'), newcomer(google, 'Ada')),
  ])
  await page.goto('/profile')
  await expect(page.getByText('Your only way to sign in.')).toBeVisible()
  await checkPhone(page, 'one way to sign in')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('The blue one')
  await checkPhone(page, 'a name for a passkey')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('The blue one')).toBeVisible()
  await checkPhone(page, 'two ways to sign in')
  await page.getByRole('button', { name: 'Unlink' }).click()
  await expect(page.getByRole('alertdialog', { name: 'Unlink Google?' })).toBeVisible()
  await checkPhone(page, 'unlinking')
})
