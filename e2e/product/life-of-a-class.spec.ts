import { check } from '../support/accessible'
import { signIn } from '../support/api'
import { mailedLink } from '../support/mails'
import { expectToast, inDays, newPerson, uniqueWord } from '../support/product'
import { expect, test } from '../support/test'

test('an assignment is copied to another circle with three presses', async ({ page, api }) => {
  const ada = await api.user('Ada')
  const word = uniqueWord()
  const [spring, fall] = [`Spring ${word}`, `Fall ${word}`]
  const circleId = await api.circle(ada.token, { name: spring })
  await api.circle(ada.token, { name: fall })
  const id = await api.assignment(ada.token, { title: `Tides ${word}`, circleId, reviewsNeeded: 3 })
  await signIn(page, ada, `/assignment/${id}`)
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Copy the assignment' })
  await expect(dialog.getByRole('combobox', { name: 'For' })).toHaveValue(circleId)
  await check(page, 'the copy of an assignment')
  await dialog.getByRole('textbox', { name: 'Due Date' }).fill(inDays(30))
  await dialog.getByRole('combobox', { name: 'For' }).selectOption(fall)
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  await expectToast(page, 'Assignment copied: this is the new one')
  await expect(page).not.toHaveURL(new RegExp(id))
  const about = page.getByRole('complementary', { name: 'About this assignment' })
  await expect(about).toContainText(fall)
  await expect(about).toContainText(inDays(30))
  await expect(page.getByRole('heading', { level: 1, name: `Tides ${word}` })).toBeVisible()
})

test('an assignment is viewed as a student, who can do nothing there', async ({ page, api }) => {
  const ada = await api.user('Ada')
  const id = await api.assignment(ada.token, { title: `Tides ${uniqueWord()}` })
  await signIn(page, ada, `/assignment/${id}`)
  await page.getByRole('link', { name: 'View as a student' }).click()
  await expect(page.getByText('You see this assignment as a student does.')).toBeVisible()
  const main = page.getByRole('main')
  await expect(main.getByRole('button', { name: 'Take Assignment' })).toBeDisabled()
  for (const name of ['Update', 'Delete', 'Copy', 'Remind me', 'Report', 'Comment', 'View as a student']) {
    await expect(main.getByRole('button', { name, exact: true })).toHaveCount(0)
    await expect(main.getByRole('link', { name, exact: true })).toHaveCount(0)
  }
  await check(page, 'an assignment as a student sees it')
  await page.reload()
  await expect(page.getByText('You see this assignment as a student does.')).toBeVisible()
  await page.getByRole('link', { name: 'Back to your view' }).click()
  await expect(page.getByRole('link', { name: 'Update', exact: true })).toBeVisible()
  await expect(page.getByText('You see this assignment as a student does.')).toHaveCount(0)
})

test('an account gets another address, and the previous address takes it back', async ({
  page,
  api,
  consoleErrors,
  server: { data },
}) => {
  // The wrong password.
  consoleErrors.allow(/401/)
  const ada = await api.user('Ada')
  const { email } = newPerson('Ada')
  await signIn(page, ada, '/profile')
  await page.getByRole('button', { name: 'Change email' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change email' })
  await dialog.getByRole('textbox', { name: 'New email' }).fill(email)
  await dialog.getByLabel('Password', { exact: true }).fill('Wrong1Horse')
  await dialog.getByRole('button', { name: 'Send the email' }).click()
  await expect(dialog.getByText('This is not your password.')).toBeVisible()
  await check(page, 'a change of address')
  await dialog.getByLabel('Password', { exact: true }).fill(ada.password)
  await dialog.getByRole('button', { name: 'Send the email' }).click()
  const told = page.getByRole('dialog', { name: 'Confirm the new address' })
  await expect(told).toContainText(email)
  await told.getByRole('button', { name: 'OK' }).click()

  await expect.poll(() => mailedLink(data, email, 'verify')).toContain('token=')
  await page.goto(mailedLink(data, email, 'verify'))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('Thank you, your address is confirmed.')).toBeFocused()
  await page.goto('/profile')
  await expect(page.getByText(email)).toBeVisible()

  await expect.poll(() => mailedLink(data, ada.email, 'undo')).toContain('token=')
  await page.goto(mailedLink(data, ada.email, 'undo'))
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Your account has this address again')).toBeFocused()
  await check(page, 'an undone change of address')
  await page.getByRole('link', { name: 'Sign in', exact: true }).click()
  await page.getByLabel('Email').fill(ada.email)
  await page.getByLabel('Password', { exact: true }).fill(ada.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page).not.toHaveURL(/auth/)
})
