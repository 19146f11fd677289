import { signIn } from '../support/api'
import { answerBox, card, expectToast, fillAssignment, uniqueWord } from '../support/product'
import { expect, test } from '../support/test'

/** Success messages, and the next step a press away. */

test('a new assignment has its moment on the list, once', async ({ page, api }) => {
  await signIn(page, await api.user('Ada'), '/create-assignment')
  const title = uniqueWord()
  await fillAssignment(page, { title })
  await page.getByRole('button', { name: 'Create Assignment' }).click()
  await expectToast(page, 'Assignment created successfully')
  await expect(page).toHaveURL(/\/assignments$/)
  const moment = page.getByRole('region', { name: 'Published' })
  await expect(moment).toContainText(title)
  await expect(moment).toContainText('Your friends can take it now.')
  await expect(moment.locator('.pen-stroke-drawn')).toHaveCount(2)
  await expect(card(page, title)).toBeVisible()

  await moment.getByRole('link', { name: 'See it' }).click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await page.goBack()
  await expect(card(page, title)).toBeVisible()
  // News is news once: neither Back nor a reload says it again.
  await expect(moment).toHaveCount(0)
  await page.reload()
  await expect(card(page, title)).toBeVisible()
  await expect(moment).toHaveCount(0)
})

test('the celebration leads on to the next assignment; a deleted one has none', async ({ page, api }) => {
  await signIn(page, await api.user('Ada'), '/create-assignment')
  const [first, second] = [uniqueWord(), uniqueWord()]
  await fillAssignment(page, { title: first })
  await page.getByRole('button', { name: 'Create Assignment' }).click()
  const moment = page.getByRole('region', { name: 'Published' })
  await moment.getByRole('link', { name: 'Create another' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Create Assignment' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('')
  await fillAssignment(page, { title: second })
  await page.getByRole('button', { name: 'Create Assignment' }).click()
  await expect(moment).toContainText(second)
  await card(page, second).getByRole('button', { name: 'Delete' }).click()
  await answerBox(page, 'Are you sure?', null, 'Yes, delete it!')
  await expect(card(page, second)).toHaveCount(0)
  await expect(moment).toHaveCount(0)
})

test('an update has its moment, and leads to the changed assignment', async ({ page, api }) => {
  const ada = await api.user('Ada')
  const id = await api.assignment(ada.token, { title: uniqueWord() })
  await signIn(page, ada, `/assignment/update/${id}`)
  const title = uniqueWord()
  await page.getByRole('textbox', { name: 'Title' }).fill(title)
  await page.getByRole('button', { name: 'Update Assignment' }).click()
  await answerBox(page, 'Are you sure?', 'You Update this assignment')
  const box = page.getByRole('dialog', { name: 'Updated' })
  await expect(box).toContainText('Everyone sees the new version now.')
  await expect(box.getByRole('button', { name: 'OK' })).toBeFocused()
  await box.getByRole('link', { name: 'See it' }).click()
  await expect(page).toHaveURL(`/assignment/${id}`)
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
})

test('a pointer over a button prefetches its dialog: the press does not wait', async ({ page, api }) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const id = await api.assignment(ada.token, { title: uniqueWord() })
  const codeOf = (part: string) =>
    page.waitForResponse((response) => new RegExp(`/assets/${part}-[^/]*\\.js`).test(response.url()))
  await signIn(page, ben, `/assignment/${id}`)
  // By the keyboard, which no pointer announces.
  const submit = codeOf('submit-dialog')
  const take = page.getByRole('button', { name: 'Take Assignment' })
  await expect(page.locator('time').first()).toHaveAttribute('title', /day/)
  await take.focus()
  await submit

  await api.submission(ben.token, id)
  await page.goto('/attemded-assignments')
  const change = codeOf('change-dialog')
  await page.getByRole('button', { name: 'Change' }).first().hover()
  await change

  await page.goto('/create-assignment')
  const calendar = codeOf('calendar')
  await page.getByRole('button', { name: 'Open the calendar' }).focus()
  await calendar
})
