import { signIn, type Api, type User } from '../support/api'
import { answerBox, expectToast, row, uniqueWord } from '../support/product'
import { expect, test, type Page } from '../support/test'

/** What was typed stays, and the page says what happened, where another tab or user is quicker. */

/** Does something by the API, as another tab of the user would. */
async function elsewhere(page: Page, { token }: User, method: string, path: string, data?: object) {
  const response = await page.request.fetch(path, {
    method,
    headers: { Authorization: `Bearer ${token}` },
    ...(data && { data }),
  })
  expect(response.ok(), `${method} ${path}: ${response.status()}`).toBe(true)
}

async function desk(api: Api, fields: object = {}) {
  const [ada, ben, cleo] = [await api.user('Ada'), await api.user('Ben'), await api.user('Cleo')]
  const title = uniqueWord()
  const of = await api.assignment(ada.token, { title, ...fields })
  return { ada, ben, cleo, title, of }
}

const words = 'Page two has the sources.'

test('handing in, where another tab has handed in', async ({ page, api, consoleErrors }) => {
  consoleErrors.allow(/409/)
  const { ben, of } = await desk(api)
  await signIn(page, ben, `/assignment/${of}`)
  await page.getByRole('button', { name: 'Take Assignment' }).click()
  const dialog = page.getByRole('dialog', { name: 'Submit Assignment' })
  await dialog.getByRole('textbox', { name: 'Google Docs Link' }).fill('https://docs.google.com/document/d/2')
  await dialog.getByRole('textbox', { name: 'Note' }).fill(words)
  await api.submission(ben.token, of)
  await dialog.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByRole('alertdialog', { name: 'Error' })).toContainText('already')
  await answerBox(page, 'Error', 'Submission failed. Please try again.')
  await expect(dialog.getByRole('textbox', { name: 'Note' })).toHaveValue(words)
})

test('handing in without a connection, and afterwards', async ({ page, context, api, consoleErrors }) => {
  consoleErrors.allow(/ERR_INTERNET_DISCONNECTED/)
  const { ben, of } = await desk(api)
  await signIn(page, ben, `/assignment/${of}`)
  await page.getByRole('button', { name: 'Take Assignment' }).click()
  const dialog = page.getByRole('dialog', { name: 'Submit Assignment' })
  await dialog.getByRole('textbox', { name: 'Google Docs Link' }).fill('https://docs.google.com/document/d/2')
  await dialog.getByRole('textbox', { name: 'Note' }).fill(words)
  await context.setOffline(true)
  await dialog.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByRole('alertdialog', { name: 'Error' })).toContainText(
    'The server cannot be reached.',
  )
  await answerBox(page, 'Error', 'Submission failed. Please try again.')
  await expect(dialog.getByRole('textbox', { name: 'Note' })).toHaveValue(words)
  await context.setOffline(false)
  await dialog.getByRole('button', { name: 'Submit' }).click()
  await answerBox(page, 'Success!', 'Assignment submitted successfully!')
})

test('changing what another tab has withdrawn', async ({ page, api, consoleErrors }) => {
  consoleErrors.allow(/404/)
  const { ben, of, title } = await desk(api)
  const id = await api.submission(ben.token, of)
  await signIn(page, ben, '/attemded-assignments')
  await row(page, title).getByRole('button', { name: 'Change' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change Submission' })
  await dialog.getByRole('textbox', { name: 'Note' }).fill(words)
  await api.withdraw(ben.token, id)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await answerBox(page, 'Error', 'Your submission was not changed.')
  await expect(dialog.getByText('This submission is gone: you withdrew it elsewhere.')).toBeVisible()
  await expect(dialog.getByRole('textbox', { name: 'Note' })).toHaveValue(words)
  await expect(dialog.getByRole('button', { name: 'Copy what I wrote' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByText('No submitted assignments found.')).toBeVisible()
})

test('withdrawing what was marked meanwhile', async ({ page, api, consoleErrors }) => {
  consoleErrors.allow(/409/)
  const { ada, ben, of, title } = await desk(api)
  const id = await api.submission(ben.token, of)
  await signIn(page, ben, '/attemded-assignments')
  await row(page, title).getByRole('button', { name: 'Withdraw' }).click()
  await api.grade(ada.token, id, 9)
  await answerBox(page, 'Are you sure?', null, 'Yes, withdraw it')
  await answerBox(page, 'Error', 'Your submission was not withdrawn.')
  await expect(row(page, title)).toContainText('completed')
})

test('appealing, where another tab has appealed', async ({ page, api, consoleErrors }) => {
  consoleErrors.allow(/409/)
  const { ada, ben, of, title } = await desk(api)
  const id = await api.submission(ben.token, of)
  await api.grade(ada.token, id, 9)
  await signIn(page, ben, '/attemded-assignments')
  await row(page, title).getByRole('button', { name: 'Appeal' }).click()
  const dialog = page.getByRole('dialog', { name: 'Appeal' })
  await dialog.getByRole('textbox', { name: 'Reason' }).fill(words)
  await elsewhere(page, ben, 'POST', `/api/submissions/${id}/appeal`, { reason: 'Please look again.' })
  await dialog.getByRole('button', { name: 'Submit' }).click()
  await answerBox(page, 'Error', 'You have already appealed against this mark.')
  await expect(dialog.getByRole('textbox', { name: 'Reason' })).toHaveValue(words)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(row(page, title)).toContainText('Under appeal')
})

test('deciding, where the submitter has deleted the account', async ({ page, api, consoleErrors }) => {
  consoleErrors.allow(/40[349]/)
  const { ada, ben, cleo, of } = await desk(api, { reviewsNeeded: 2 })
  const id = await api.submission(ben.token, of)
  const { submissionId } = (await (
    await page.request.post('/api/reviews/next', {
      headers: { Authorization: `Bearer ${cleo.token}` },
      data: { assignmentId: of },
    })
  ).json()) as { submissionId: string }
  await elsewhere(page, cleo, 'PATCH', `/api/submissions/${submissionId}`, { marks: 12 })
  await elsewhere(page, ada, 'POST', `/api/submissions/${id}/settle`)
  await signIn(page, ada, `/assignment/${of}`)
  await page.getByRole('button', { name: 'Ask for another look' }).click()
  const dialog = page.getByRole('dialog', { name: 'Ask for another look' })
  await dialog.getByRole('textbox', { name: 'Reason' }).fill(words)
  await elsewhere(page, ben, 'DELETE', '/api/auth/account')
  await dialog.getByRole('button', { name: 'Submit' }).click()
  await expectToast(page, 'Two new reviewers will look at it. The mark stands until then.')
})

test('finalizing, where another tab has finalized', async ({ page, api, consoleErrors }) => {
  consoleErrors.allow(/409/)
  const { ada, ben, cleo, of } = await desk(api, { reviewsNeeded: 2 })
  const id = await api.submission(ben.token, of)
  const { submissionId } = (await (
    await page.request.post('/api/reviews/next', {
      headers: { Authorization: `Bearer ${cleo.token}` },
      data: { assignmentId: of },
    })
  ).json()) as { submissionId: string }
  await elsewhere(page, cleo, 'PATCH', `/api/submissions/${submissionId}`, { marks: 12 })
  await signIn(page, ada, `/assignment/${of}`)
  await page.getByRole('button', { name: 'Finalize (Settle now)' }).click()
  await elsewhere(page, ada, 'POST', `/api/submissions/${id}/settle`)
  await answerBox(page, 'Finalize it?', null, 'Finalize')
  await expect(page.getByRole('alertdialog', { name: 'Error' })).toBeVisible()
  await answerBox(page, 'Error', null)
  await expect(row(page, ben.email)).toContainText('12')
})
