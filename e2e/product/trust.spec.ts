import { signIn, type Api, type User } from '../support/api'
import {
  answerBox,
  expectToast,
  fillAssignment,
  goTo,
  openAssignment,
  row,
  submitWork,
  uniqueWord,
} from '../support/product'
import { expect, test, type Page } from '../support/test'

/** Grades that several people make: a rubric, blind reviews, a mark that can be made again, an appeal, a decision. */

const work = 'https://docs.google.com/document/d/1'
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Mark Assignment' })
const criterion = (page: Page, n: number) => page.getByRole('group', { name: `Criterion ${n}`, exact: true })
const results = (page: Page) => page.getByRole('region', { name: 'Results' })

/** Ada's assignment with two criteria of 10 marks each, written in the form. */
async function createWithRubric(page: Page, title: string, reviewsNeeded: string): Promise<void> {
  await goTo(page, 'Create Assignment')
  await fillAssignment(page, { title })
  await page.getByRole('combobox', { name: 'Reviews needed' }).selectOption(reviewsNeeded)
  for (const [at, name] of ['Argument', 'Language'].entries()) {
    await page.getByRole('button', { name: 'Add a criterion' }).click()
    await criterion(page, at + 1)
      .getByRole('textbox', { name: 'Criterion' })
      .fill(name)
  }
  await expect(page.getByLabel('Marks', { exact: true })).toHaveValue('20')
  await page.getByRole('button', { name: 'Create Assignment' }).click()
  await expectToast(page, 'Assignment created successfully')
}

/** Takes the next one of the assignment from the pending list, and gives a level of each criterion. */
async function review(page: Page, title: string, levels: [string, string], feedback: string): Promise<void> {
  await row(page, title).getByRole('button', { name: 'Review next' }).click()
  await expect(dialog(page).getByText(/^Reserved for you until \d{4}\/\d\d\/\d\d \d\d:\d\d\.$/)).toBeVisible()
  await expect(dialog(page)).toContainText('Unknown')
  for (const [at, name] of ['Argument', 'Language'].entries()) {
    const chosen = dialog(page).getByRole('group', { name }).getByRole('radio', { name: levels[at] })
    await chosen.check()
  }
  await dialog(page).getByRole('textbox', { name: 'Feedback' }).fill(feedback)
  await dialog(page).getByRole('button', { name: 'Submit' }).click()
  await answerBox(page, 'Success', 'Assignment marked successfully!')
}

const several = (api: Api, names: string[]): Promise<User[]> =>
  Promise.all(names.map((name) => api.user(name)))

test('five people review by a rubric; the mark is explained, appealed against, and decided', async ({
  page,
  newPerson,
  api,
}) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const title = uniqueWord()
  await signIn(page, ada, '/')
  await createWithRubric(page, title, '5')
  await openAssignment(page, title)
  await expect(page.getByRole('heading', { name: 'Rubric' })).toBeVisible()
  await expect(page.getByText('There are no submissions yet.')).toBeVisible()

  const student = await newPerson()
  await signIn(student, ben, new URL(page.url()).pathname)
  await submitWork(student, work, 'My essay.')
  await student.goto('/attemded-assignments')
  await expect(row(student, title).getByText('Pending (0 of 5 reviews)')).toBeVisible()

  const reviewers = await several(api, ['Cleo', 'Dan', 'Eve', 'Fay', 'Gil'])
  for (const [at, reviewer] of reviewers.entries()) {
    const desk = await newPerson()
    await signIn(desk, reviewer, '/pending-assignments')
    await review(desk, title, at === 0 ? ['Partly', 'Fully'] : ['Fully', 'Partly'], `Said by ${at}.`)
    if (at > 0) continue
    await desk.goto('/dashboard')
    await desk.getByRole('link', { name: 'What you reviewed' }).click()
    await expect(row(desk, title)).toContainText('Not yet')
  }

  // The mark comes to the page that is open, and leads to how it was made.
  await expect(row(student, title).getByText('completed')).toBeVisible()
  await row(student, title).getByRole('link', { name: 'How was my mark made?' }).click()
  await expect(student.getByRole('heading', { level: 1, name: 'How was my mark made?' })).toBeVisible()
  await expect(student).toHaveTitle('How was my mark made? | StudyCircle')
  await expect(
    student.getByText(/^In 8 of 10 cases a panel of experts would give [\d.]+ to [\d.]+ of 20\.$/),
  ).toBeVisible()
  await student.getByRole('button', { name: 'Recompute' }).click()
  await expect(student.getByText('Computed here: 15.0000, so 15. It agrees.')).toBeVisible()
  const first = student.getByRole('listitem').filter({ hasText: 'Review A' })
  await first.getByRole('button', { name: 'Reply' }).click()
  await first.getByRole('radio', { name: 'Yes' }).check()
  await first.getByRole('textbox', { name: 'Reply' }).fill('That helps.')
  await first.getByRole('button', { name: 'Send' }).click()
  await expect(first.getByText('You found this helpful.')).toBeVisible()
  const download = student.waitForEvent('download')
  await student.getByRole('button', { name: 'Download', exact: true }).click()
  expect((await download).suggestedFilename()).toMatch(/^mark-.+\.json$/)

  await student.getByRole('button', { name: 'Appeal' }).click()
  const appeal = student.getByRole('dialog', { name: 'Appeal' })
  await appeal.getByRole('textbox', { name: 'Reason' }).fill('Nobody read page two.')
  await appeal.getByRole('button', { name: 'Submit' }).click()
  await expectToast(student, 'Two new reviewers will look at it. Your mark stands until then.')
  await expect(student.getByText('Under appeal')).toBeVisible()
  await expect(student.getByRole('button', { name: 'Appeal' })).toHaveCount(0)

  // The creator's page follows; they see the work while it is open, and decide.
  const result = results(page).getByRole('row').filter({ hasText: ben.email })
  await expect(result.getByText('Under appeal')).toBeVisible()
  await result.getByRole('button', { name: 'Change mark' }).click()
  const decision = page.getByRole('dialog', { name: 'Change mark' })
  await expect(decision.getByText('Nobody read page two.')).toBeVisible()
  await expect(decision.getByRole('link', { name: 'View Document' })).toHaveAttribute('href', work)
  await expect(decision.getByText('My essay.')).toBeVisible()
  for (const group of await decision.getByRole('group').all()) await group.getByRole('radio').last().check()
  await decision.getByRole('button', { name: 'Submit' }).click()
  await expect(decision.getByText('Say why.')).toBeVisible()
  await decision.getByRole('textbox', { name: 'Reason' }).fill('Page two is good.')
  await decision.getByRole('button', { name: 'Submit' }).click()
  await expectToast(page, 'The submitter sees the mark and your reason.')
  await expect(result.getByText('20', { exact: true })).toBeVisible()
  await expect(student.getByText(`${ada.name} set this mark: Page two is good.`)).toBeVisible()
  await expect(student.getByRole('region', { name: 'History' }).getByRole('listitem')).toHaveCount(4)
})

test('a reserved submission is given back, and found again', async ({ page, api }) => {
  const [ada, ben, cleo] = [await api.user('Ada'), await api.user('Ben'), await api.user('Cleo')]
  const title = uniqueWord()
  const id = await api.assignment(ada.token, { title, reviewsNeeded: 2 })
  await api.submission(ben.token, id)
  await signIn(page, cleo, '/pending-assignments')
  await row(page, title).getByRole('button', { name: 'Review next' }).click()
  await dialog(page).getByRole('textbox', { name: 'Feedback' }).fill('A first thought.')
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await page.reload()
  await page
    .getByRole('region', { name: 'Reserved for you' })
    .getByRole('button', { name: 'Continue' })
    .click()
  await expect(dialog(page).getByRole('textbox', { name: 'Feedback' })).toHaveValue('A first thought.')
  await dialog(page).getByRole('button', { name: 'Give back' }).click()
  await answerBox(page, 'Give it back?', null, 'Give back')
  await expectToast(page, 'Given back. Thank you for looking.')
  await expect(page.getByRole('region', { name: 'Reserved for you' })).toHaveCount(0)
  await expect(row(page, title)).toBeVisible()
  await expect(row(page, title).getByRole('button', { name: 'Review next' })).toHaveCount(0)
})

test('reviewing is fixed after the first submission, and the creator settles early', async ({
  page,
  api,
  consoleErrors,
}) => {
  consoleErrors.allow(/409/)
  const [ada, ben, cleo] = [await api.user('Ada'), await api.user('Ben'), await api.user('Cleo')]
  const title = uniqueWord()
  const level = (label: string, marks: number) => ({ label, marks })
  const rubric = { criteria: [{ title: 'Argument', levels: [level('Weak', 0), level('Strong', 20)] }] }
  const id = await api.assignment(ada.token, { title, reviewsNeeded: 3, rubric })
  await signIn(page, ada, `/assignment/update/${id}`)
  await expect(criterion(page, 1).getByRole('textbox', { name: 'Criterion' })).toHaveValue('Argument')
  await api.submission(ben.token, id)
  await page.reload()
  await expect(
    page.getByText('Work has been handed in, so how submissions are reviewed can no longer change.'),
  ).toBeVisible()
  await expect(page.getByRole('region', { name: 'Rubric' })).toContainText('Argument')
  await expect(page.getByRole('combobox', { name: 'Reviews needed' })).toHaveCount(0)
  await page.getByRole('textbox', { name: 'Title' }).fill(`${title} again`)
  await page.getByRole('button', { name: 'Update Assignment' }).click()
  await answerBox(page, 'Are you sure?', 'You Update this assignment')
  await answerBox(page, 'Updated', null)

  await page.goto(`/assignment/${id}`)
  const result = results(page).getByRole('row').filter({ hasText: ben.email })
  await expect(result.getByText('0 of 3 reviews')).toBeVisible()
  await expect(result.getByRole('button', { name: 'Settle now' })).toHaveCount(0)
  await api.reviewByLevels(cleo.token, id, [1])
  await page.reload()
  await expect(result.getByText('1 of 3 reviews')).toBeVisible()
  await result.getByRole('button', { name: 'Settle now' }).click()
  await answerBox(page, 'Finalize it?', null, 'Finalize')
  await expectToast(page, 'Finalized')
  await expect(result.getByText('completed')).toBeVisible()
  await result.getByRole('link', { name: 'How it was made' }).click()
  await expect(page.getByText(`${ada.name} finalized it.`)).toBeVisible()
  await page.goBack()
  await result.getByRole('button', { name: 'Ask for another look' }).click()
  const reopening = page.getByRole('dialog', { name: 'Ask for another look' })
  const others = reopening.getByRole('radio', { name: 'Two new reviewers look at it' })
  await expect(others).toBeChecked()
  await reopening.getByRole('radio', { name: 'I set the mark' }).check()
  await expect(reopening.getByRole('radio', { name: 'Strong' })).toBeChecked()
  await reopening.getByRole('button', { name: 'Submit' }).click()
  await expect(reopening.getByRole('textbox', { name: 'Reason' })).toBeFocused()
  await others.check()
  await reopening.getByRole('textbox', { name: 'Reason' }).fill('One review is little.')
  await reopening.getByRole('button', { name: 'Submit' }).click()
  await expectToast(page, 'Two new reviewers will look at it. The mark stands until then.')
  await expect(result.getByText('Reopened')).toBeVisible()
})

test('a single grade can be appealed, too', async ({ page, api }) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const title = uniqueWord()
  const id = await api.assignment(ada.token, { title })
  await api.grade(ada.token, await api.submission(ben.token, id), 3)
  await signIn(page, ben, '/attemded-assignments')
  await row(page, title).getByRole('button', { name: 'Appeal' }).click()
  const appeal = page.getByRole('dialog', { name: 'Appeal' })
  await appeal.getByRole('textbox', { name: 'Reason' }).fill('Please look again.')
  await appeal.getByRole('button', { name: 'Submit' }).click()
  await expectToast(page, 'Two new reviewers will look at it. Your mark stands until then.')
  await expect(row(page, title).getByText('Under appeal')).toBeVisible()
  await expect(row(page, title).getByRole('button', { name: 'Appeal' })).toHaveCount(0)
})

test('an exemplar comes first, and its mark is revealed afterwards', async ({ page, newPerson, api }) => {
  const [ada, ben, cleo] = [await api.user('Ada'), await api.user('Ben'), await api.user('Cleo')]
  const title = uniqueWord()
  const id = await api.assignment(ada.token, { title, reviewsNeeded: 2 })
  await api.submission(ben.token, id, 'Ben’s own.')
  await signIn(page, ada, `/assignment/${id}`)
  await page.getByRole('button', { name: 'Add an exemplar' }).click()
  const form = page.getByRole('dialog', { name: 'Exemplar' })
  await form.getByRole('button', { name: 'Submit' }).click()
  await expect(form.getByText('Say why.')).toBeVisible()
  await form.getByRole('textbox', { name: 'Google Docs Link' }).fill(work)
  await form.getByRole('textbox', { name: 'Note' }).fill('A sample.')
  await form.getByRole('spinbutton', { name: 'Mark' }).fill('12')
  await form.getByRole('textbox', { name: 'Reason' }).fill('The end is weak.')
  await form.getByRole('button', { name: 'Submit' }).click()
  await expectToast(page, 'Exemplar handed in')
  const exemplar = results(page).getByRole('listitem').filter({ hasText: 'The end is weak.' })
  await exemplar.getByRole('button', { name: 'Change' }).click()
  await form.getByRole('spinbutton', { name: 'Mark' }).fill('13')
  await form.getByRole('button', { name: 'Submit' }).click()
  await expectToast(page, 'Exemplar changed')
  await expect(exemplar).toContainText('13 of 20')

  const desk = await newPerson()
  await signIn(desk, cleo, '/pending-assignments')
  await row(desk, title).getByRole('button', { name: 'Review next' }).click()
  await expect(dialog(desk).getByText('A sample.')).toBeVisible()
  await dialog(desk).getByLabel('Marks').fill('15')
  await dialog(desk).getByRole('button', { name: 'Submit' }).click()
  const told = desk.getByRole('dialog', { name: 'Success' })
  await expect(
    told.getByText('This was sample work, known to be worth 13 of 20: The end is weak.'),
  ).toBeVisible()
  await told.getByRole('button', { name: 'Next' }).click()
  await expect(dialog(desk).getByText('Ben’s own.')).toBeVisible()

  await exemplar.getByRole('button', { name: 'Remove' }).click()
  await answerBox(page, 'Remove it?', null, 'Remove')
  await expect(exemplar).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Exemplars' })).toBeFocused()
})

test('the creator chooses an exemplar’s levels, and its reviewer compares each criterion', async ({
  page,
  newPerson,
  api,
}) => {
  const [ada, cleo] = [await api.user('Ada'), await api.user('Cleo')]
  const title = uniqueWord()
  const levels = [
    { label: 'Weak', marks: 0 },
    { label: 'Strong', marks: 10 },
  ]
  const rubric = { criteria: ['Argument', 'Language'].map((name) => ({ title: name, levels })) }
  const id = await api.assignment(ada.token, { title, reviewsNeeded: 2, rubric })
  await api.submission((await api.user('Ben')).token, id)
  await signIn(page, ada, `/assignment/${id}`)
  await page.getByRole('button', { name: 'Add an exemplar' }).click()
  const form = page.getByRole('dialog', { name: 'Exemplar' })
  await form.getByRole('textbox', { name: 'Google Docs Link' }).fill(work)
  await form.getByRole('textbox', { name: 'Reason' }).fill('The end is weak.')
  await form.getByRole('group', { name: 'Argument' }).getByRole('radio', { name: 'Strong' }).check()
  await form.getByRole('button', { name: 'Submit' }).click()
  await expect(form.getByText('Choose a level.')).toBeVisible()
  await form.getByRole('group', { name: 'Language' }).getByRole('radio', { name: 'Weak' }).check()
  await form.getByRole('button', { name: 'Submit' }).click()
  await expectToast(page, 'Exemplar handed in')
  await expect(results(page).getByRole('listitem').filter({ hasText: 'The end is weak.' })).toContainText(
    '10 of 20',
  )

  const desk = await newPerson()
  await signIn(desk, cleo, '/pending-assignments')
  await row(desk, title).getByRole('button', { name: 'Review next' }).click()
  for (const name of ['Argument', 'Language']) {
    await dialog(desk).getByRole('group', { name }).getByRole('radio', { name: 'Strong' }).check()
  }
  await dialog(desk).getByRole('button', { name: 'Submit' }).click()
  const told = desk.getByRole('dialog', { name: 'Success' })
  await expect(told.getByRole('row', { name: 'Argument' })).toHaveText('Argument10 Strong10 Strong')
  await expect(told.getByRole('row', { name: 'Language' })).toHaveText('Language10 Strong0 Weak')
  await expect(told.getByRole('row', { name: 'Mark' })).toHaveText('Mark2010')
})

test('the address of a result opens its submission, and a link at the top leads to all', async ({
  page,
  api,
}) => {
  const [ada, ben, cleo] = [await api.user('Ada'), await api.user('Ben'), await api.user('Cleo')]
  const id = await api.assignment(ada.token, { title: uniqueWord() })
  const first = await api.submission(ben.token, id)
  await api.submission(cleo.token, id)
  await signIn(page, ada, `/assignment/${id}#result-${first}`)
  const open = results(page).getByRole('region', { name: /^Submission of / })
  await expect(open.getByRole('heading', { name: 'Submission of Ben' })).toBeFocused()
  await page.goto(`/assignment/${id}`)
  await page.getByRole('link', { name: 'Results', exact: true }).click()
  await expect(results(page).getByRole('heading', { name: 'Results' })).toBeInViewport()
  await expect(open).toHaveCount(0)
  await page.goto('/notifications')
  await page
    .getByRole('main')
    .getByRole('link', { name: /handed in/ })
    .first()
    .click()
  await expect(results(page).getByRole('heading', { name: 'Results' })).toBeFocused()
  await expect(results(page).getByRole('heading', { name: 'Results' })).toBeInViewport()
})

test('exemplars alone are work to review, and no number tells them from submissions', async ({
  page,
  api,
}) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const title = uniqueWord()
  const id = await api.assignment(ada.token, { title, reviewsNeeded: 2 })
  for (const mark of [4, 18]) await api.exemplar(ada.token, id, mark)
  await api.submission(ben.token, id)
  await signIn(page, ben, `/assignment/${id}`)
  await expect(page.getByText('There is work for you to review.')).toBeVisible()
  await expect(page.getByText(/\d (submissions )?wait/)).toHaveCount(0)
  await page.goto('/pending-assignments')
  await expect(row(page, title)).toContainText('There is work for you to review')
  await expect(row(page, title)).not.toContainText(/\d submissions/)
  await row(page, title).getByRole('button', { name: 'Review next' }).click()
  await expect(dialog(page).getByText(/^Reserved for you until/)).toBeVisible()
})
