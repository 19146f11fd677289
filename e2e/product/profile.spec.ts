import { check } from '../support/accessible'
import { signIn } from '../support/api'
import { expect, test } from '../support/test'

test('the settings: a list beside them leads to each part and marks the one in view', async ({
  page,
  api,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await signIn(page, await api.user('Ada'), '/profile')
  await expect(page.getByRole('button', { name: 'Update notifications' })).toBeVisible()
  const settings = page.getByRole('navigation', { name: 'Settings' })
  for (const name of ['Notifications', 'Calendar', 'Sign-in']) {
    await settings.getByRole('link', { name, exact: true }).click()
    await expect(settings.getByRole('link', { name, exact: true })).toHaveAttribute(
      'aria-current',
      'location',
    )
    await expect(settings).toBeInViewport()
  }
  await expect(page).toHaveURL('/profile#sign-in')
  const tall = await page.evaluate(() => document.documentElement.scrollHeight)
  expect(tall).toBeLessThan(3200)
})

test('on a phone the list of settings is one line', async ({ page, api }) => {
  await page.setViewportSize({ width: 320, height: 700 })
  await signIn(page, await api.user('Ada'), '/profile')
  await expect(page.getByRole('button', { name: 'Update notifications' })).toBeVisible()
  const settings = page.getByRole('navigation', { name: 'Settings' })
  expect((await settings.boundingBox())?.height).toBeLessThan(50)
  await settings.getByRole('link', { name: 'Calendar' }).click()
  await expect(page.getByRole('heading', { name: 'Calendar' })).toBeInViewport()
  await check(page, 'settings')
})

test('one press makes a calendar address and opens Google Calendar with it', async ({
  page,
  context,
  api,
}) => {
  await context.route('https://calendar.google.com/**', (route) => route.fulfill({ body: 'Google' }))
  await signIn(page, await api.user('Ada'), '/profile#calendar')
  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Add to Google Calendar' }).click()
  const popup = await opened
  await popup.waitForURL(/calendar\.google\.com/)
  const address = await page.getByLabel('Calendar address').inputValue()
  const webcal = address.replace('http:', 'webcal:')
  expect(new URL(popup.url()).searchParams.get('cid')).toBe(webcal)
  await expect(page.getByRole('link', { name: 'Add to Google Calendar' })).toHaveAttribute(
    'href',
    popup.url(),
  )
  await expect(page.getByRole('link', { name: 'Add to Apple Calendar or Outlook' })).toHaveAttribute(
    'href',
    webcal,
  )
  await check(page, 'a calendar address')
})

test('passkeys are not praised where there are none', async ({ page, api }) => {
  await signIn(page, await api.user('Ada'), '/profile')
  await expect(page.getByRole('heading', { name: 'Passkeys' })).toBeVisible()
  await expect(page.getByText('Passkeys are not set up on this server.')).toBeVisible()
  await expect(page.getByText(/A passkey signs you in/)).toHaveCount(0)
})
