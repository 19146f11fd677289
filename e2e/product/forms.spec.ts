import { signIn } from '../support/api'
import {
  answerBox,
  card,
  expectToast,
  fillAssignment,
  goTo,
  inDays,
  login,
  photo,
  uniqueWord,
} from '../support/product'
import { expect, test } from '../support/test'

test('creating: empty fields are refused, each with its reason', async ({ page, api }) => {
  await signIn(page, await api.user('Ada'), '/create-assignment')
  await expect(page).toHaveTitle('Create Assignment | StudyCircle')
  await expect(page.getByRole('combobox', { name: 'Level' })).toHaveValue('easy')
  await page.getByRole('button', { name: 'Create Assignment' }).click()
  for (const name of ['Title', 'Description', 'Thumbnail Image URL', 'Due Date']) {
    await expect(page.getByRole('textbox', { name })).toHaveAttribute('aria-invalid', 'true')
  }
  await expect(page.getByLabel('Marks')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByRole('textbox', { name: 'Title' })).toBeFocused()
})

test('the due date: typed, stepped with the arrow keys, picked from the calendar', async ({ page, api }) => {
  await signIn(page, await api.user('Ada'), '/create-assignment')
  const due = page.getByRole('textbox', { name: 'Due Date' })
  await due.fill('2026/12/1')
  await due.press('ArrowUp')
  await expect(due).toHaveValue('2026/12/02')
  await due.press('ArrowDown')
  await due.blur()
  await expect(due).toHaveValue('2026/12/01')
  // In the middle of a month: on its first day, yesterday is on a page that cannot be opened.
  await page.clock.setFixedTime(new Date(2027, 2, 15, 12))
  await due.fill('2027/03/14')
  await page.getByRole('button', { name: 'Open the calendar' }).click()
  const calendar = page.getByRole('dialog', { name: 'Pick the due date' })
  await expect(calendar.getByRole('button', { name: '2027/03/14' })).toBeDisabled()
  await calendar.getByRole('button', { name: '2027/03/15' }).click()
  await expect(calendar).toHaveCount(0)
  await expect(due).toHaveValue('2027/03/15')
})

test('a past due date is refused', async ({ page, api }) => {
  await signIn(page, await api.user('Ada'), '/create-assignment')
  await fillAssignment(page, { title: 'Too late', dueDate: inDays(-2) })
  await page.getByRole('button', { name: 'Create Assignment' }).click()
  await expect(page.getByText('Today or a later day.')).toBeVisible()
})

test('a draft outlives a reload and a sign-in', async ({ page, api }) => {
  const ada = await api.user('Ada')
  await signIn(page, ada, '/create-assignment')
  const title = `Kept ${uniqueWord()}`
  await fillAssignment(page, { title, marks: '42', level: 'Medium' })
  // The session ends behind the page's back.
  await page.context().clearCookies()
  await page.reload()
  await expect(page).toHaveURL(/\/auth\/login$/)
  await login(page, ada)
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue(title)
  await expect(page.getByLabel('Marks')).toHaveValue('42')
  await expect(page.getByRole('combobox', { name: 'Level' })).toHaveValue('medium')
  await page.getByRole('button', { name: 'Create Assignment' }).click()
  await expectToast(page, 'Assignment created successfully')
  await expect(page).toHaveURL(/\/assignments$/)
  // And is gone once it is sent.
  await goTo(page, 'Create Assignment')
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('')
})

test('updating: prefilled, confirmed, and cancelled without a change', async ({ page, api }) => {
  const ada = await api.user('Ada')
  const word = uniqueWord()
  const id = await api.assignment(ada.token, { title: word, level: 'hard', marks: 35 })
  await signIn(page, ada, `/assignment/update/${id}`)
  await expect(page).toHaveTitle('Update Assignment | StudyCircle')
  await expect(page.getByRole('heading', { level: 1, name: 'Update Assignment' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue(word)
  await expect(page.getByLabel('Marks')).toHaveValue('35')
  await expect(page.getByRole('textbox', { name: 'Thumbnail Image URL' })).toHaveValue(photo(page))
  await expect(page.getByRole('combobox', { name: 'Level' })).toHaveValue('hard')
  await page.getByLabel('Marks').fill('36')
  await page.getByRole('button', { name: 'Update Assignment' }).click()
  await answerBox(page, 'Are you sure?', 'You Update this assignment', 'Cancel')
  await expect(page.getByLabel('Marks')).toHaveValue('36')
  await page.getByRole('button', { name: 'Update Assignment' }).click()
  await answerBox(page, 'Are you sure?', 'You Update this assignment')
  await answerBox(page, 'Updated', null)
  await expect(page).toHaveURL(/\/assignments$/)
  await expect(card(page, word)).toContainText('36 marks')
})

test('the update page is for users, and for its creator alone', async ({ page, api }) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const id = await api.assignment(ada.token, { title: uniqueWord() })
  await page.goto('/about-Us')
  await page.goto(`/assignment/update/${id}`)
  await expect(page).toHaveURL(/\/auth\/login$/)
  await login(page, ben)
  await expect(page.getByRole('alertdialog', { name: 'Oops...' })).toBeVisible()
  await expect(page.getByText('Only Ada, who created this assignment, can update it.')).toBeAttached()
  await expect(page.locator('main form')).toHaveCount(0)
  await answerBox(page, 'Oops...', 'You not create this assignment')
  await expect(page).toHaveURL(/\/assignments$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/about-Us$/)
})

test('a due date is the same day for all readers, with the reader’s time as a tooltip', async ({
  page,
  api,
}) => {
  const ada = await api.user('Ada')
  const word = uniqueWord()
  await api.assignment(ada.token, { title: word, dueDate: '2031-05-06T23:59:59+14:00' })
  await page.goto(`/assignments?search=${word}`)
  const due = card(page, word).locator('time')
  await expect(due).toHaveText('2031/05/06')
  await expect(due).toHaveAttribute('title', /^Tuesday/)
})
