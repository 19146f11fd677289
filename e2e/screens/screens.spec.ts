import { expect, test as base, type Page } from '@playwright/test'
import { addDevice, popupOf, startWorld, type World } from '../support/sign-in'

/** Pictures of every page against the sample content, for looking at. They assert nothing. */
const test = base.extend<object, { demo: World }>({
  demo: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright finds out what a fixture needs from this pattern
    async ({}, use) => {
      const demo = await startWorld('--demo')
      await use(demo)
      await demo.stop()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ demo }, use) => use(demo.server.url),
})

const widths = [390, 1280]
const themes = ['light', 'dark'] as const

const visitorPages: [string, string][] = [
  ['home', '/'],
  ['assignments', '/assignments'],
  ['assignments-empty', '/assignments?search=zzzzqq'],
  ['about-us', '/about-Us'],
  ['login', '/auth/login'],
  ['register', '/auth/register'],
  ['forgot', '/auth/forgot'],
  ['reset', '/auth/reset?token=sample'],
  ['verify', '/auth/verify?token=sample'],
  ['not-found', '/no-such-page'],
]

const userPages: [string, string][] = [
  ['pending', '/pending-assignments'],
  ['create', '/create-assignment'],
  ['mine', '/attemded-assignments'],
  ['profile', '/profile'],
  ['verify-signed-in', '/auth/verify?token=sample'],
  ['dashboard', '/dashboard'],
  ['notifications', '/notifications'],
  ['circles', '/circles'],
]

for (const width of widths) {
  for (const theme of themes) {
    test(`${width} px, ${theme}`, async ({ browser, baseURL }) => {
      test.setTimeout(360_000)
      const context = await browser.newContext({
        baseURL,
        viewport: { width, height: width < 600 ? 844 : 800 },
        colorScheme: theme,
        reducedMotion: 'reduce',
      })
      const page = await context.newPage()
      const shoot = (name: string, fullPage = true) =>
        page.screenshot({
          path: `screenshots/${name}-${width}-${theme}.png`,
          fullPage,
        })

      for (const [name, path] of visitorPages) {
        await page.goto(path)
        await settle(page)
        await shoot(name)
      }
      await page.goto('/')
      await settle(page)
      await shoot('first-screen', false)
      await page.goto('/auth/login')
      const popup = await popupOf(page, 'Continue with Campus')
      await popup.close()
      await page.getByText('auth/popup-closed-by-user').waitFor()
      await shoot('login-failure')
      await page
        .getByRole('heading', { name: 'Sample accounts' })
        .locator('..')
        .getByRole('button')
        .first()
        .click()
      await page.getByRole('button', { name: 'Login', exact: true }).click()
      await page.waitForURL('/')
      await page.getByText('your Login successfull').waitFor()
      await shoot('toast', false)
      for (const [name, path] of userPages) {
        await page.goto(path)
        await settle(page)
        await shoot(name)
      }
      await page.goto('/circles')
      await page.getByRole('link', { name: 'Biology 9B' }).first().click()
      await settle(page)
      await shoot('circle')
      await waysToSignIn(page, shoot)
      await page.goto('/create-assignment')
      await page.getByRole('button', { name: 'Create Assignment' }).click()
      await shoot('create-errors')
      await page.getByRole('button', { name: 'Open the calendar' }).click()
      await page.getByRole('grid').waitFor()
      await shoot('calendar', false)
      await page.goto('/pending-assignments')
      await page.getByRole('button', { name: 'Give Mark' }).first().click()
      await page.getByRole('dialog').waitFor()
      await shoot('mark-dialog', false)
      await page.goto('/assignments')
      await page.getByRole('link', { name: 'Details' }).first().click()
      await page.getByRole('button', { name: 'Back' }).waitFor()
      await settle(page)
      await shoot('details')
      await page.goto('/assignments?page=2')
      for (const link of await page.getByRole('link', { name: 'Details' }).all()) {
        await link.click()
        await page.getByRole('button', { name: 'Back' }).waitFor()
        const take = page.getByRole('button', { name: 'Take Assignment' })
        if (await take.isVisible()) {
          await take.click()
          await page.getByRole('dialog').waitFor()
          await shoot('submit-dialog', false)
          await page.getByRole('button', { name: 'Submit', exact: true }).click()
          await page.getByRole('alertdialog').waitFor()
          await shoot('error-box', false)
          break
        }
        await page.goBack()
      }
      await changes(page, shoot)
      await troubles(page, shoot)
      await context.close()
    })
  }
}

type Shoot = (name: string, fullPage?: boolean) => Promise<unknown>

/** Passkeys on the profile: the dialogs, and a list with a long name and a short one. */
async function waysToSignIn(page: Page, shoot: Shoot) {
  await page.goto('/profile')
  await settle(page)
  const names = ['The old tablet on the kitchen shelf that everybody at home uses', 'Phone']
  for (const [i, name] of names.entries()) {
    // An authenticator holds one passkey of an account.
    const { cdp, id } = await addDevice(page)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
    if (i === 0) await shoot('passkey-dialog', false)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await expect(dialog).toBeHidden()
    await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: id })
    await cdp.detach()
  }
  await shoot('profile-passkeys')
  await page.getByRole('button', { name: 'Rename' }).first().click()
  await shoot('passkey-rename-dialog', false)
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  for (const name of names) {
    const row = page.getByRole('listitem').filter({ hasText: name })
    await row.getByRole('button', { name: 'Remove' }).click()
    await shoot('passkey-remove-box', false)
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await expect(row).toHaveCount(0)
  }
  await page.getByRole('button', { name: 'Delete account' }).click()
  await shoot('delete-account-dialog', false)
}

/** A user's changes to their own assignments and submissions. */
async function changes(page: Page, shoot: Shoot) {
  await page.goto('/attemded-assignments')
  await settle(page)
  const change = page.getByRole('button', { name: 'Change' }).first()
  if (await change.isVisible()) {
    await change.click()
    await page.getByRole('dialog').waitFor()
    await shoot('change-dialog', false)
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Withdraw' }).first().click()
    await shoot('withdraw-box', false)
  }
  await page.goto('/assignments')
  await page.getByRole('button', { name: 'Delete' }).first().click()
  await page.getByRole('alertdialog').waitFor()
  await shoot('delete-box', false)
  await page.goto('/pending-assignments')
  await settle(page)
  await page.getByRole('button', { name: 'Give Mark' }).first().focus()
  await shoot('pending-focus', false)
  const menu = page.getByRole('button', { name: 'Menu' })
  if (await menu.isVisible()) {
    await menu.click()
    await shoot('menu', false)
  }
}

/** Failures that no user causes. */
async function troubles(page: Page, shoot: Shoot) {
  await page.route('**/api/submissions?**', (route) =>
    route.fulfill({ status: 503, json: { detail: 'The database does not answer. Please try again.' } }),
  )
  await page.goto('/pending-assignments')
  await page.getByRole('button', { name: 'Retry' }).waitFor()
  await shoot('failed-fetch', false)
  await page.context().setOffline(true)
  await page.getByText('You are offline.').waitFor()
  await shoot('offline', false)
  await page.context().setOffline(false)
  await page.context().clearCookies()
  await page.route('**/api/auth/login', (route) =>
    route.fulfill({
      status: 429,
      headers: { 'Retry-After': '840' },
      contentType: 'application/problem+json',
      body: JSON.stringify({
        code: 'rate-limited',
        detail: 'Too many attempts to sign in. Try again in 14 minutes.',
      }),
    }),
  )
  await page.goto('/auth/login')
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill('somebody@example.org')
  await page.getByLabel('Password', { exact: true }).fill('Circle1')
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await page.getByRole('alert').first().waitFor()
  await shoot('too-many-attempts')
}

/** Waits for the data and lets lazy pictures come. */
async function settle(page: Page) {
  await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0)
  await page.evaluate(async () => {
    for (const image of document.images) image.loading = 'eager'
    for (let y = 0; y < document.body.scrollHeight; y += 400) {
      window.scrollTo(0, y)
      await new Promise((resolve) => setTimeout(resolve, 60))
    }
    window.scrollTo(0, 0)
  })
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete))
}
