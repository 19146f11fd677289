import type { Page } from '@playwright/test'
import { check } from '../support/accessible'
import { signIn, type Api } from '../support/api'
import { mailedLink } from '../support/mails'
import { expect, serverWith, test as base } from '../support/test'

/** The operators' page. */

const email = 'op@example.org'

const test = base.extend({ server: [...serverWith(`--operators=${email}`)] })

/** Registers the operator, who confirms the address by the emailed link. */
async function becomeOperator(page: Page, api: Api, data: string): Promise<void> {
  await signIn(page, await api.register({ name: 'Op', email, password: 'Circle1' }), '/profile')
  await expect(page.getByRole('link', { name: 'Server' })).toHaveCount(0)
  await expect.poll(() => mailedLink(data, email, 'verify')).toContain('token=')
  await page.goto(mailedLink(data, email, 'verify'))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('Thank you, your address is confirmed.')).toBeVisible()
}

test('an operator reads the state of the server, by keyboard, at any width and in both themes', async ({
  page,
  api,
  server,
}) => {
  await becomeOperator(page, api, server.data)
  await page.goto('/')
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Server' })
  await link.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Server' })).toBeVisible()
  await expect(page).toHaveTitle('Server | StudyCircle')
  const row = (table: string, name: RegExp) =>
    page.getByRole('table', { name: table }).getByRole('row', { name })
  await expect(row('Checks', /^database/)).toContainText('ok')
  await expect(row('Checks', /^backup/)).toContainText('Give --backup-dir')
  await expect(row('Nodes', /running, answering you/)).toHaveCount(1)
  await expect(page.getByRole('region', { name: 'Undelivered emails' })).toContainText('None.')
  await expect(page.getByRole('main')).not.toContainText('@')
  await check(page, 'the state of the server')
  const response = await page.reload()
  expect(response?.status()).toBe(200)
  await expect(page.getByRole('heading', { level: 1, name: 'Server' })).toBeVisible()
})

test('for users and visitors the page does not exist', async ({ page, api, newPerson, consoleErrors }) => {
  consoleErrors.allow(/404/)
  const visitor = await newPerson()
  await signIn(page, await api.user('Ada'), '/')
  await expect(page.getByRole('link', { name: 'Server' })).toHaveCount(0)
  for (const one of [page, visitor]) {
    const response = await one.goto('/admin')
    expect(response?.status()).toBe(404)
    await expect(one.getByRole('heading', { level: 1, name: 'Error !Page not found' })).toBeVisible()
    await expect(one).toHaveTitle('Error !Page not found')
    expect(new URL(one.url()).pathname).toBe('/admin')
  }
})
