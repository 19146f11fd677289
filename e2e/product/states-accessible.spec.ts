import { check, phone } from '../support/accessible'
import { signIn } from '../support/api'
import { card, expectToast, fillAssignment, goTo, row, uniqueWord } from '../support/product'
import { expect, test, type Page } from '../support/test'

/** axe on passing states of pages: success messages, questions, refusals, empty lists, failures. */

test.use(phone)

/** Boxes look alike at every width: the narrowest has least room. */
const checkPhone = (page: Page, state: string) => check(page, state, [320])

test('creating, updating and deleting', async ({ page, api }) => {
  const ada = await api.user('Ada')
  await signIn(page, ada, '/create-assignment')
  const title = uniqueWord()
  await fillAssignment(page, { title })
  await page.getByRole('button', { name: 'Create Assignment' }).click()
  await expectToast(page, 'Assignment created successfully')
  await page.getByRole('button', { name: 'close' }).click()
  await expect(page.getByRole('region', { name: 'Published' })).toBeVisible()
  await expect(card(page, title)).toBeVisible()
  await check(page, 'a new assignment')
  await card(page, title).getByRole('link', { name: 'Update' }).click()
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue(title)
  await check(page, 'the update form')
  await page.getByRole('button', { name: 'Update Assignment' }).click()
  await expect(page.getByRole('alertdialog', { name: 'Are you sure?' })).toBeVisible()
  await checkPhone(page, 'whether to update')
  await page.getByRole('button', { name: 'OK' }).click()
  await expect(page.getByRole('dialog', { name: 'Updated' })).toBeVisible()
  await checkPhone(page, 'updated')
  await page.getByRole('link', { name: 'See it' }).click()
  await expect(page.getByText('This is your assignment.')).toBeVisible()
  await check(page, 'the details of one’s own')
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('alertdialog', { name: 'Are you sure?' })).toContainText(title)
  await checkPhone(page, 'whether to delete')
})

test('submissions, and a list without any', async ({ page, api }) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  await signIn(page, ben, '/attemded-assignments')
  await expect(page.getByText('No submitted assignments found.')).toBeVisible()
  await check(page, 'nothing handed in')
  const word = uniqueWord()
  const dueDate = new Date(Date.now() - 12 * 3_600_000).toISOString()
  const id = await api.assignment(ada.token, { title: word, dueDate })
  await api.submission(ben.token, id, 'A long note. '.repeat(60))
  await page.reload()
  await expect(row(page, word)).toContainText('Late')
  await check(page, 'late')
  await row(page, word).getByRole('button', { name: 'Change' }).click()
  await expect(page.getByRole('textbox', { name: 'Note' })).toBeVisible()
  await checkPhone(page, 'changing it')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await row(page, word).getByRole('button', { name: 'Withdraw' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await checkPhone(page, 'whether to take it back')
})

test('signing in, on the way and where it fails', async ({ page, api, consoleErrors }) => {
  consoleErrors.allow(/401/)
  const { email } = await api.user('Ada')
  await page.goto('/create-assignment')
  await expect(page.getByText('You need an account to create an assignment.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill('Wrong11')
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page.getByText('auth/invalid-credential')).toBeVisible()
  await check(page, 'why one is at Login, and what failed there')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expect(page.getByText('an email with a link is on its way')).toBeVisible()
  await check(page, 'the email is on its way')
  await page.goto('/auth/reset')
  await expect(page.getByRole('link', { name: 'Send me a link' })).toBeVisible()
  await check(page, 'a new password without the link')
})

test('offline, at a page not visited yet', async ({ page, context, consoleErrors }) => {
  consoleErrors.allow(/ERR_INTERNET_DISCONNECTED/)
  await page.goto('/')
  await page.getByRole('button', { name: 'Menu' }).click()
  await context.setOffline(true)
  await goTo(page, 'Assignments')
  await expect(page.getByRole('heading', { name: 'This page could not be shown' })).toBeVisible()
  await check(page, 'a page that could not be shown')
})
