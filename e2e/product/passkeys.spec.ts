import type { Page } from '@playwright/test'
import { signIn } from '../support/api'
import { expectToast } from '../support/product'
import { signInAt } from '../support/provider'
import { addDevice, expect, newcomer, popupOf, test, type Device } from '../support/sign-in'

/** Passkeys, with the authenticator that Chromium simulates: a device with a fingerprint reader. */

/** Whether the user touches the device when it asks. It does not answer earlier requests. */
async function touch({ cdp, id }: Device, enabled: boolean): Promise<void> {
  await cdp.send('WebAuthn.setAutomaticPresenceSimulation', {
    authenticatorId: id,
    enabled,
  })
}

/** On the profile page. */
async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expectToast(page, 'Passkey added')
  await expect(dialog).toBeHidden()
}

const ways = (page: Page) => page.getByRole('region', { name: 'Ways to sign in' })
const row = (page: Page, name: string) => ways(page).getByRole('listitem').filter({ hasText: name })

/** Logs out, and leaves the login page, which would ask the device for passkeys to suggest. */
async function logout(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/auth\/login$/)
  await page.goto('about:blank')
}

/** Opens a page that asks for a login, which has begun to suggest passkeys when this ends. */
async function openLogin(page: Page, path: string): Promise<void> {
  const suggesting = page.waitForResponse('**/api/auth/passkeys/login/options')
  await page.goto(path)
  await suggesting
}

test('a passkey is added, named, signs in by the button, is renamed and removed', async ({
  page,
  api,
  consoleErrors,
}) => {
  consoleErrors.allow(/401/)
  const device = await addDevice(page)
  await signIn(page, await api.user('Ada'), '/profile')
  await expect(ways(page).getByText('None yet. A passkey signs you in')).toBeVisible()
  await addPasskey(page, 'Blue laptop')
  await expect(row(page, 'Blue laptop')).toContainText('not used yet')

  await touch(device, false)
  await logout(page)
  // The unused suggestion in the field makes way for the button.
  let pressed = false
  await page.route('**/api/auth/passkeys/login/options', async (route) => {
    await touch(device, pressed)
    await route.continue()
  })
  await openLogin(page, '/pending-assignments?page=1&x=y')
  pressed = true
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expectToast(page, 'Ada your Login successfull')
  await expect(page).toHaveURL(/\/pending-assignments\?page=1&x=y$/)

  await page.goto('/profile')
  await expect(row(page, 'Blue laptop')).toContainText('last used')
  await row(page, 'Blue laptop').getByRole('button', { name: 'Rename' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rename this passkey' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill(' ')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Enter a name of up to 100 characters.')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Old laptop')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Passkey renamed')
  await row(page, 'Old laptop').getByRole('button', { name: 'Remove' }).click()
  const box = page.getByRole('alertdialog', { name: 'Remove this passkey?' })
  await box.getByRole('button', { name: 'Remove' }).click()
  await expectToast(page, 'Passkey removed')
  await expect(ways(page).getByText('None yet. A passkey signs you in')).toBeVisible()

  // The device still offers it; here it opens nothing any more.
  pressed = false
  await logout(page)
  await openLogin(page, '/auth/login')
  pressed = true
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByText('auth/invalid-credential')).toBeVisible()
  await expect(page.getByText('This passkey does not belong to an account here.')).toBeVisible()
})

test('the browser suggests the passkey in the Email field', async ({ page, api }) => {
  const device = await addDevice(page)
  await signIn(page, await api.user('Ada'), '/profile')
  await addPasskey(page, 'Blue laptop')
  await touch(device, false)
  await logout(page)
  await openLogin(page, '/auth/login')
  const email = page.getByRole('textbox', { name: 'Email' })
  await expect(email).toHaveAttribute('autocomplete', 'username webauthn')
  await page.goto('about:blank')
  // Chromium's simulated device picks the suggestion by itself.
  await touch(device, true)
  await page.goto('/pending-assignments')
  await expectToast(page, 'Ada your Login successfull')
  await expect(page).toHaveURL(/\/pending-assignments$/)
})

test('a device without a passkey, and one that has one already', async ({ page, api }) => {
  const device = await addDevice(page)
  await page.goto('/auth/login')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByText('The passkey was not used')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeEnabled()
  await signIn(page, await api.user('Ada'), '/profile')
  await addPasskey(page, 'Blue laptop')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByText('This device already has a passkey for your account.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(ways(page).getByRole('listitem')).toHaveCount(1)
  expect(
    (
      await device.cdp.send('WebAuthn.getCredentials', {
        authenticatorId: device.id,
      })
    ).credentials,
  ).toHaveLength(1)
})

test('a passkey that is the last way to sign in stays', async ({ page, google }) => {
  await addDevice(page)
  await page.goto('/auth/login')
  // The toast may be gone before the window is.
  await Promise.all([
    expectToast(page, 'Ada your Login successfull'),
    signInAt(await popupOf(page, 'Continue with Google'), newcomer(google, 'Ada')),
  ])
  await page.goto('/profile')
  await addPasskey(page, 'Blue laptop')
  await row(page, 'Google').getByRole('button', { name: 'Unlink' }).click()
  await page
    .getByRole('alertdialog', { name: 'Unlink Google?' })
    .getByRole('button', { name: 'Unlink' })
    .click()
  await expectToast(page, 'Google is unlinked')
  await expect(row(page, 'Blue laptop').getByRole('button', { name: 'Remove' })).toBeDisabled()
  await expect(row(page, 'Blue laptop')).toContainText('Your only way to sign in.')
})

test('a browser without passkeys is reported', async ({ page, api }) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential'))
  await page.goto('/auth/login')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByText('This browser doesn’t support passkeys.')).toBeVisible()
  await signIn(page, await api.user('Ada'), '/profile')
  await expect(ways(page).getByText('This browser doesn’t support passkeys.')).toBeVisible()
  await expect(ways(page).getByRole('button', { name: 'Add a passkey' })).toBeHidden()
})
