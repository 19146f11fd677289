import { expect, test as base, type Page } from '@playwright/test'
import { signInAt } from '../support/provider'
import { popupOf, startWorld, type World } from '../support/sign-in'

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
]

for (const width of widths) {
  for (const theme of themes) {
    test(`${width} px, ${theme}`, async ({ browser, baseURL, demo }) => {
      test.setTimeout(240_000)
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
      // The sample accounts never confirmed their addresses.
      const tomas = {
        name: 'Tomás Herrera',
        email: 'tomas@studycircle.example',
        email_verified: true,
      }
      demo.campus.enrol(tomas)
      await signInAt(await popupOf(page, 'Continue with Campus'), tomas)
      await page.getByRole('dialog', { name: 'Is this account yours?' }).waitFor()
      await shoot('confirm-dialog', false)
      await page.getByRole('button', { name: 'Cancel' }).click()
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
      await page.goto('/profile')
      await page.getByRole('button', { name: 'Add a passkey' }).click()
      await shoot('passkey-dialog', false)
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
      await context.close()
    })
  }
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
