import { answerBox, goTo, login, openAssignment, row, uniqueWord } from '../support/product'
import { expect, test } from '../support/test'

test('Take Assignment asks a visitor to sign in, and comes back with the dialog open', async ({
  page,
  api,
}) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const word = uniqueWord()
  await api.assignment(ada.token, { title: word })
  await openAssignment(page, word)
  await page.getByRole('button', { name: 'Take Assignment' }).click()
  await expect(page).toHaveURL(/\/auth\/login$/)
  await login(page, ben)
  const dialog = page.getByRole('dialog', { name: 'Submit Assignment' })
  await expect(dialog).toBeVisible()
  // What is typed outlives a reload; the dialog itself was opened once.
  await dialog.getByRole('textbox', { name: 'Note' }).fill('Half a thought')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: word })).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await page.getByRole('button', { name: 'Take Assignment' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Note' })).toHaveValue('Half a thought')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Take Assignment' })).toBeFocused()
})

test('a button pressed before the script has come is answered when it has', async ({ page, api }) => {
  const ada = await api.user('Ada')
  const word = uniqueWord()
  const id = await api.assignment(ada.token, { title: word })
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await held
    return route.fallback()
  })
  await page.goto(`/assignment/${id}`, { waitUntil: 'commit' })
  await page.getByRole('button', { name: 'Take Assignment' }).click()
  await expect(page).toHaveURL(new RegExp(id))
  release()
  await expect(page).toHaveURL(/\/auth\/login$/)
})

test('a creator sees that it is the own assignment', async ({ page, api }) => {
  const ada = await api.user('Ada')
  const word = uniqueWord()
  await api.assignment(ada.token, { title: word })
  await login(page, ada)
  await openAssignment(page, word)
  await expect(page.getByText('This is your assignment.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Take Assignment' })).toHaveCount(0)
})

test('a failed submission says so, keeps what was typed, and works on the next try', async ({
  page,
  api,
  consoleErrors,
}) => {
  consoleErrors.allow(/500/)
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const word = uniqueWord()
  await api.assignment(ada.token, { title: word })
  await login(page, ben)
  await openAssignment(page, word)
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/submissions', async (route) => {
    await held
    await route.fulfill({ status: 500, json: { detail: 'Broken.' } })
  })
  await page.getByRole('button', { name: 'Take Assignment' }).click()
  const dialog = page.getByRole('dialog', { name: 'Submit Assignment' })
  const link = dialog.getByRole('textbox', { name: 'Google Docs Link' })
  await expect(link).toHaveAttribute('type', 'url')
  await link.fill('https://docs.google.com/document/d/7')
  await dialog.getByRole('button', { name: 'Submit' }).click()
  await expect(dialog.getByRole('button', { name: 'Submitting...' })).toBeDisabled()
  release()
  await answerBox(page, 'Error', 'Submission failed. Please try again.')
  await expect(link).toHaveValue('https://docs.google.com/document/d/7')
  await page.unroute('**/api/submissions')
  await dialog.getByRole('button', { name: 'Submit' }).click()
  await answerBox(page, 'Success!', 'Assignment submitted successfully!')
  // Success cleared the form; a second attempt while the first is pending is refused.
  await page.getByRole('button', { name: 'Take Assignment' }).click()
  await expect(link).toHaveValue('')
  consoleErrors.allow(/409/)
  await link.fill('https://docs.google.com/document/d/8')
  await dialog.getByRole('button', { name: 'Submit' }).click()
  await answerBox(page, 'Error', 'Submission failed. Please try again.')
})

test.describe('pending assignments', () => {
  test('show a view of the document and a note, or that there is none', async ({ page, api }) => {
    const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
    const word = uniqueWord()
    const id = await api.assignment(ada.token, { title: word, marks: 30 })
    await api.submission(ben.token, id)
    await login(page, ada)
    await goTo(page, 'Pending Assignments')
    await expect(page).toHaveTitle('Pending Assignments | StudyCircle')
    await expect(page.getByRole('columnheader')).toHaveText(['Title', 'Marks', 'Examinee', 'Action'])
    await expect(row(page, word).getByRole('cell')).toContainText([word, '30', ben.email, 'Give Mark'])
    await row(page, word).getByRole('button', { name: 'Give Mark' }).click()
    const dialog = page.getByRole('dialog', { name: 'Mark Assignment' })
    await expect(dialog).toContainText('No notes provided.')
    await expect(dialog.getByRole('link', { name: 'View Document' })).toHaveAttribute('target', '_blank')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toHaveCount(0)
  })

  test('fall back for what is missing, and say when there are none', async ({ page, api }) => {
    const ada = await api.user('Ada')
    await login(page, ada)
    const bare = { _id: 'x', assignmentId: 'y', status: 'pending', late: true, docsLink: 'https://e.org' }
    let rows: object[] = [bare]
    await page.route('**/api/submissions?**', (route) => route.fulfill({ json: rows }))
    await page.goto('/pending-assignments')
    await expect(page.getByRole('row').nth(1).getByRole('cell')).toContainText([
      'Untitled',
      'N/A',
      'Unknown',
      'Give Mark',
    ])
    await expect(page.getByRole('row').nth(1)).toContainText('Late')
    rows = []
    await page.reload()
    await expect(page.getByText('No pending assignments found.')).toBeVisible()
  })

  test('refuse a mark out of bounds, and say when grading fails', async ({ page, api, consoleErrors }) => {
    consoleErrors.allow(/500/)
    const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
    const word = uniqueWord()
    const id = await api.assignment(ada.token, { title: word, marks: 30 })
    await api.submission(ben.token, id, 'Be kind')
    await login(page, ada)
    await goTo(page, 'Pending Assignments')
    await row(page, word).getByRole('button', { name: 'Give Mark' }).click()
    const dialog = page.getByRole('dialog', { name: 'Mark Assignment' })
    const marks = dialog.getByLabel('Marks')
    for (const wrong of ['', '31', '-1', '7.5']) {
      await marks.fill(wrong)
      await dialog.getByRole('button', { name: 'Submit' }).click()
      await expect(marks).toHaveAttribute('aria-invalid', 'true')
      await expect(marks).toBeFocused()
    }
    await page.route('**/api/submissions/*', (route) => route.fulfill({ status: 500, json: { detail: 'x' } }))
    await marks.fill('30')
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await answerBox(page, 'Error', 'Something went wrong')
    await expect(marks).toHaveValue('30')
  })

  test('tell whoever comes second', async ({ page, api, consoleErrors }) => {
    consoleErrors.allow(/409/)
    const [ada, ben, cleo] = [await api.user('Ada'), await api.user('Ben'), await api.user('Cleo')]
    const word = uniqueWord()
    const id = await api.assignment(ada.token, { title: word })
    const submission = await api.submission(ben.token, id)
    await login(page, cleo)
    await goTo(page, 'Pending Assignments')
    await row(page, word).getByRole('button', { name: 'Give Mark' }).click()
    await api.grade(ada.token, submission, 11)
    const dialog = page.getByRole('dialog', { name: 'Mark Assignment' })
    await dialog.getByLabel('Marks').fill('12')
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await answerBox(page, 'Error', 'Someone has already marked this submission.')
    await expect(row(page, word)).toHaveCount(0)
  })
})

test.describe('my submitted assignments', () => {
  test('fall back for what is missing, and say when there are none', async ({ page, api }) => {
    const ada = await api.user('Ada')
    await login(page, ada)
    await goTo(page, 'My Attempted Assignments')
    await expect(page).toHaveTitle('My Submitted Assignments | StudyCircle')
    await expect(page.getByText('No submitted assignments found.')).toBeVisible()
    const bare = { _id: 'x', assignmentId: 'y', status: 'pending', late: false, submittedBy: ada.email }
    await page.route('**/api/submissions?**', (route) => route.fulfill({ json: [bare] }))
    await page.reload()
    await expect(page.getByRole('columnheader')).toHaveText([
      'Title',
      'Status',
      'Total Marks',
      'Obtained Marks',
      'Feedback',
    ])
    await expect(page.getByRole('row').nth(1).getByRole('cell')).toContainText([
      'Untitled',
      'pending',
      '--',
      '--',
      '--',
    ])
  })

  test('show a failed fetch with Retry', async ({ page, api, consoleErrors }) => {
    consoleErrors.allow(/503/)
    await login(page, await api.user('Ada'))
    await page.route('**/api/submissions?**', (route) =>
      route.fulfill({ status: 503, json: { detail: 'Away.' } }),
    )
    await goTo(page, 'My Attempted Assignments')
    await expect(page.getByText('Away.')).toBeVisible()
    await page.unroute('**/api/submissions?**')
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByText('No submitted assignments found.')).toBeVisible()
  })

  test('are paged, ten at a time', async ({ page, api }) => {
    const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
    for (let i = 0; i < 11; i++) {
      const id = await api.assignment(ada.token, { title: `Sheet ${i}` })
      // Graded, so as not to fill the pending list of whoever shares the database.
      await api.grade(ada.token, await api.submission(ben.token, id), 20)
    }
    await login(page, ben)
    await goTo(page, 'My Attempted Assignments')
    await expect(page.getByRole('row')).toHaveCount(11)
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: '2' }).click()
    await expect(page).toHaveURL(/\?page=2$/)
    await expect(page.getByRole('row')).toHaveCount(2)
    await expect(row(page, 'Sheet 0')).toBeVisible()
  })
})
