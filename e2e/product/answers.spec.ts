import {
  answerBox,
  card,
  fillAssignment,
  login,
  row,
  uniqueWord,
  type AssignmentFields,
} from '../support/product'
import { expect, test } from '../support/test'

/** Answers that do not say what they should, whatever their status. */

test('an assignment that was not deleted comes back', async ({ page, api }) => {
  const ada = await api.user('Ada')
  const word = uniqueWord()
  await api.assignment(ada.token, { title: word })
  await login(page, ada)
  await page.goto(`/assignments?search=${word}`)
  await page.route('**/api/assignment/*', (route) => route.fulfill({ json: { deletedCount: 0 } }))
  await card(page, word).getByRole('button', { name: 'Delete' }).click()
  await answerBox(page, 'Are you sure?', null, 'Yes, delete it!')
  await answerBox(page, 'Error', 'Failed to delete assignment.')
  await expect(card(page, word)).toBeVisible()
})

test('what was not created stays in the form', async ({ page, api }) => {
  await login(page, await api.user('Ada'))
  await page.goto('/create-assignment')
  const fields: AssignmentFields = { title: uniqueWord() }
  await fillAssignment(page, fields)
  await page.route('**/api/assignments', (route) => route.fulfill({ status: 201, json: {} }))
  await page.getByRole('button', { name: 'Create Assignment' }).click()
  await answerBox(page, 'Error', null)
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue(fields.title)
  await expect(page).toHaveURL(/\/create-assignment$/)
})

test('a submission and a grade that were not kept', async ({ page, api }) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const word = uniqueWord()
  const id = await api.assignment(ada.token, { title: word })
  await api.submission(ben.token, id)
  await login(page, await api.user('Cleo'))
  await page.goto(`/assignment/${id}`)
  await page.route('**/api/submissions', (route) =>
    route.fulfill({ status: 201, json: { insertedId: null } }),
  )
  await page.getByRole('button', { name: 'Take Assignment' }).click()
  const submit = page.getByRole('dialog', { name: 'Submit Assignment' })
  await submit.getByRole('textbox', { name: 'Google Docs Link' }).fill('https://docs.google.com/document/d/1')
  await submit.getByRole('button', { name: 'Submit' }).click()
  await answerBox(page, 'Error', 'Submission failed. Please try again.')
  await page.route('**/api/submissions/*', (route) => route.fulfill({ json: { modifiedCount: 0 } }))
  await page.goto('/pending-assignments')
  await row(page, word).getByRole('button', { name: 'Give Mark' }).click()
  const mark = page.getByRole('dialog', { name: 'Mark Assignment' })
  await mark.getByLabel('Marks').fill('3')
  await mark.getByRole('button', { name: 'Submit' }).click()
  await answerBox(page, 'Error', 'Something went wrong')
  await expect(mark.getByLabel('Marks')).toHaveValue('3')
})

test('lists that are none are a failure with Retry', async ({ page, api }) => {
  await login(page, await api.user('Ada'))
  for (const json of [{}, { data: [] }, [null]]) {
    await page.route('**/api/submissions?**', (route) => route.fulfill({ json }))
    for (const path of ['/pending-assignments', '/attemded-assignments']) {
      await page.goto(path)
      await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible()
    }
    await page.unroute('**/api/submissions?**')
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByText('No submitted assignments found.')).toBeVisible()
  }
})

test('a limit says when to try again, also where its sentence does not', async ({
  page,
  api,
  consoleErrors,
}) => {
  consoleErrors.allow(/429/)
  await page.route('**/api/auth/login', (route) =>
    route.fulfill({
      status: 429,
      headers: { 'Retry-After': '120' },
      json: { code: 'rate-limited', detail: 'Limit reached.' },
    }),
  )
  const { email, password } = await api.user('Ada')
  await page.goto('/auth/login')
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page.getByText('Limit reached. Try again in 2 minutes.')).toBeVisible()
})

test('a picture that failed before the page could hear of it', async ({ page, api, consoleErrors }) => {
  consoleErrors.allow(/404/)
  const ada = await api.user('Ada')
  const word = uniqueWord()
  const id = await api.assignment(ada.token, { title: word })
  await page.route(`**/favicon.svg`, (route) => route.fulfill({ status: 404 }))
  // The script comes long after the picture.
  await page.route('**/assets/*.js', async (route) => {
    await pictureFailed
    await route.continue()
  })
  const pictureFailed = page.waitForResponse('**/favicon.svg')
  await page.goto(`/assignment/${id}`)
  await expect(page.getByRole('main').locator('img')).toHaveCount(0)
})
