import { signIn } from '../support/api'
import { answerBox, login, openAssignment, row, uniqueWord } from '../support/product'
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
  // The typed text outlives a reload; the dialog was opened once.
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

test('a creator sees that the assignment is theirs', async ({ page, api }) => {
  const ada = await api.user('Ada')
  const word = uniqueWord()
  await api.assignment(ada.token, { title: word })
  await signIn(page, ada, '/')
  await openAssignment(page, word)
  await expect(page.getByText('This is your assignment.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Take Assignment' })).toHaveCount(0)
})

test('own submissions are shown by status, which the address keeps', async ({ page, api }) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const [waiting, done] = [uniqueWord(), uniqueWord()]
  await api.submission(ben.token, await api.assignment(ada.token, { title: waiting }))
  const graded = await api.submission(ben.token, await api.assignment(ada.token, { title: done }))
  await api.grade(ada.token, graded, 9)
  await signIn(page, ben, '/attemded-assignments')
  const show = page.getByRole('combobox', { name: 'Show' })
  await expect(row(page, waiting)).toContainText('pending')
  await show.selectOption('Completed')
  await expect(row(page, waiting)).toHaveCount(0)
  await expect(row(page, done)).toContainText('completed')
  await page.reload()
  await expect(page).toHaveURL(/\?status=completed$/)
  await expect(row(page, done)).toBeVisible()
  await expect(row(page, waiting)).toHaveCount(0)
  await page.goBack()
  await expect(show).toHaveValue('')
  await expect(row(page, waiting)).toBeVisible()
})

test.describe('pending assignments', () => {
  test('show a view of the document and a note, or that there is none', async ({ page, api }) => {
    const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
    const word = uniqueWord()
    const id = await api.assignment(ada.token, { title: word, marks: 30 })
    await api.submission(ben.token, id)
    await signIn(page, ada, '/pending-assignments')
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

  test('report an earlier grade to the second grader', async ({ page, api, consoleErrors }) => {
    consoleErrors.allow(/409/)
    const [ada, ben, cleo] = [await api.user('Ada'), await api.user('Ben'), await api.user('Cleo')]
    const word = uniqueWord()
    const id = await api.assignment(ada.token, { title: word })
    const submission = await api.submission(ben.token, id)
    await signIn(page, cleo, '/pending-assignments')
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
  test('are paged, ten at a time', async ({ page, api }) => {
    const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
    for (let i = 0; i < 11; i++) {
      const id = await api.assignment(ada.token, { title: `Sheet ${i}` })
      // Graded, so that the pending list of tests with the same database does not fill.
      await api.grade(ada.token, await api.submission(ben.token, id), 20)
    }
    await signIn(page, ben, '/attemded-assignments')
    await expect(page.getByRole('row')).toHaveCount(11)
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: '2' }).click()
    await expect(page).toHaveURL(/\?page=2$/)
    await expect(page.getByRole('row')).toHaveCount(2)
    await expect(row(page, 'Sheet 0')).toBeVisible()
  })
})
