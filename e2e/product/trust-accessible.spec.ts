import { check, phone } from '../support/accessible'
import { signIn } from '../support/api'
import { answerBox, expectToast, row, uniqueWord } from '../support/product'
import { expect, test } from '../support/test'

/** axe on the parts of assignments with several reviews: forms, dialogs, the explained mark, decisions. */

test.use(phone)

const level = (label: string, marks: number) => ({ label, marks })
const rubric = {
  criteria: ['Argument', 'Language and the order of what is said'].map((title) => ({
    title,
    levels: [level('Not yet', 0), level('Partly, with some of the reasons', 5), level('Fully', 10)],
  })),
}

test('writing a rubric, and reading it', async ({ page, api }) => {
  const ada = await api.user('Ada')
  await signIn(page, ada, '/create-assignment')
  await page.getByRole('combobox', { name: 'Reviews needed' }).selectOption('3')
  await page.getByRole('button', { name: 'Add a criterion' }).click()
  await page.getByRole('textbox', { name: 'Level 2' }).fill('')
  await page.getByRole('button', { name: 'Create Assignment' }).click()
  await expect(page.getByText('Name this level.')).toBeVisible()
  await check(page, 'a rubric with what it lacks')
  const id = await api.assignment(ada.token, { title: uniqueWord(), reviewsNeeded: 3, rubric })
  await page.goto(`/assignment/${id}`)
  await page.getByRole('button', { name: 'Add an exemplar' }).click()
  const form = page.getByRole('dialog', { name: 'Exemplar' })
  await form.getByRole('button', { name: 'Submit' }).click()
  await expect(form.getByText('Say why.')).toBeVisible()
  await check(page, 'handing in an exemplar', [320])
  await form.getByRole('textbox', { name: 'Google Docs Link' }).fill('https://docs.google.com/document/d/1')
  for (const radio of await form.getByRole('radio', { name: /Partly/ }).all()) await radio.check()
  await form.getByRole('textbox', { name: 'Reason' }).fill('The end is weak, and the start is long.')
  await form.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('The end is weak, and the start is long.')).toBeVisible()
  await check(page, 'details with a rubric and an exemplar')
})

test('reviewing, and its result', async ({ page, newPerson, api }) => {
  const [ada, ben, cleo, dan] = await Promise.all(['Ada', 'Ben', 'Cleo', 'Dan'].map((name) => api.user(name)))
  if (!ada || !ben || !cleo || !dan) throw new Error('four people')
  const title = uniqueWord()
  const id = await api.assignment(ada.token, { title, reviewsNeeded: 2, rubric })
  await api.submission(ben.token, id, 'A long note. '.repeat(20))
  await signIn(page, cleo, '/pending-assignments')
  await row(page, title).getByRole('button', { name: 'Review next' }).click()
  const dialog = page.getByRole('dialog', { name: 'Mark Assignment' })
  await dialog.getByRole('radio', { name: 'Fully' }).first().check()
  await dialog.getByRole('button', { name: 'Submit' }).click()
  await expect(dialog.getByText('Choose a level.')).toBeVisible()
  await check(page, 'reviewing by a rubric')
  await dialog.getByRole('radio', { name: 'Fully' }).last().check()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('region', { name: 'Reserved for you' })).toBeVisible()
  await check(page, 'what is reserved')
  await page.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('button', { name: 'Submit' }).click()
  await answerBox(page, 'Success', 'Assignment marked successfully!')
  await page.goto('/reviews')
  await expect(row(page, title)).toBeVisible()
  await check(page, 'what one reviewed')

  const markdown =
    '# Clear\n\n- *from* start\n- to **end**\n\n> See <https://example.org>\n\n```go\nfunc main() {}\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |'
  await api.reviewByLevels(dan.token, id, [2, 2], markdown)
  const student = await newPerson()
  await student.emulateMedia({ reducedMotion: 'reduce' })
  await signIn(student, ben, '/attemded-assignments')
  const link = row(student, title).getByRole('link', { name: 'How was my mark made?' })
  await expect(link).toBeVisible()
  await check(student, 'a mark of several reviews')
  await link.click()
  await student.getByRole('button', { name: 'Recompute' }).click()
  await student.getByRole('button', { name: 'Reply' }).first().click()
  await check(student, 'how the mark was made')
  await student.getByRole('button', { name: 'Appeal' }).click()
  await expect(student.getByRole('textbox', { name: 'Reason' })).toBeVisible()
  await check(student, 'an appeal', [320])
  await student.getByRole('textbox', { name: 'Reason' }).fill('Please look again.')
  await student.getByRole('button', { name: 'Submit' }).click()
  await expectToast(student, 'Your mark stands until then.')

  const desk = await newPerson()
  await desk.emulateMedia({ reducedMotion: 'reduce' })
  await signIn(desk, ada, `/assignment/${id}`)
  await expect(row(desk, ben.email)).toBeVisible()
  await check(desk, 'results of several reviews')
  await desk.getByRole('button', { name: 'Open', exact: true }).click()
  await expect(desk.getByRole('link', { name: 'View Document' })).toBeVisible()
  await check(desk, 'an opened result under appeal', [320])
})
