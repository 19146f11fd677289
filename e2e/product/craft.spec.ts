import { check, phone } from '../support/accessible'
import { signIn } from '../support/api'
import { answerBox, expectToast, row, uniqueWord } from '../support/product'
import { expect, test, type Page } from '../support/test'

/** What surrounds a review: a question before the mark, a correction, the submitter's own judgement, saved rubrics. */

const level = (label: string, marks: number) => ({ label, marks })
const rubric = {
  criteria: ['Argument', 'Language'].map((title) => ({
    title,
    levels: [level('Weak', 0), level('Strong', 10)],
  })),
}

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Mark Assignment' })
const choose = (page: Page, criterion: string, name: string) =>
  dialog(page).getByRole('group', { name: criterion }).getByRole('radio', { name }).check()

test.describe('two people', () => {
  test.use(phone)

  test('ask, answer, mark, correct and compare', async ({ page, newPerson, api }) => {
    const [ada, ben, cleo, dan] = await Promise.all(
      ['Ada', 'Ben', 'Cleo', 'Dan'].map((name) => api.user(name)),
    )
    if (!ada || !ben || !cleo || !dan) throw new Error('four people')
    const title = uniqueWord()
    const id = await api.assignment(ada.token, { title, reviewsNeeded: 2, rubric })
    await api.submission(ben.token, id)
    const student = await newPerson()

    await signIn(student, ben, '/attemded-assignments')
    await row(student, title).getByRole('button', { name: 'Judge it yourself' }).click()
    const judging = student.getByRole('dialog', { name: 'Judge Your Own Work' })
    await judging.getByRole('radio', { name: 'Strong' }).first().check()
    await judging.getByRole('button', { name: 'Save' }).click()
    await expect(judging.getByText('Choose a level.')).toBeVisible()
    await check(student, 'judging one’s own work')
    await judging.getByRole('radio', { name: 'Strong' }).last().check()
    await judging.getByRole('button', { name: 'Save' }).click()
    await expectToast(student, 'Your judgment is saved')

    await signIn(page, cleo, '/pending-assignments')
    await row(page, title).getByRole('button', { name: 'Review next' }).click()
    await dialog(page).getByRole('button', { name: 'Ask a question' }).click()
    await expect(dialog(page).getByRole('textbox', { name: 'Your question' })).toBeFocused()
    await dialog(page).getByRole('textbox', { name: 'Your question' }).fill('Which **edition** do you quote?')
    await check(page, 'asking the submitter')
    await dialog(page).getByRole('button', { name: 'Send question' }).click()
    await expect(dialog(page).getByText('No answer yet.')).toBeVisible()

    await row(student, title).getByRole('button', { name: 'Answer a reviewer' }).click()
    const answering = student.getByRole('dialog', { name: 'Answer a Reviewer' })
    await expect(answering.getByText('Which edition do you quote?')).toBeVisible()
    await answering.getByRole('button', { name: 'Send answer' }).click()
    await expect(answering.getByText('Write your answer.')).toBeVisible()
    await check(student, 'answering a reviewer')
    await answering.getByRole('textbox', { name: 'Your answer' }).fill('The second, of 1999.')
    await answering.getByRole('button', { name: 'Send answer' }).click()
    await expectToast(student, 'Your answer is with the reviewer.')
    await expect(row(student, title).getByRole('button', { name: 'Answer a reviewer' })).toHaveCount(0)

    await expect(dialog(page).getByText('The second, of 1999.')).toBeVisible()
    await check(page, 'reviewing with an answer')
    await choose(page, 'Argument', 'Weak')
    await choose(page, 'Language', 'Strong')
    await dialog(page).getByRole('textbox', { name: 'Feedback' }).fill('Too short.')
    await dialog(page).getByRole('button', { name: 'Submit' }).click()
    await answerBox(page, 'Success', 'Assignment marked successfully!')

    await page.goto('/reviews')
    await row(page, title).getByRole('button', { name: 'Correct' }).click()
    await expect(
      dialog(page).getByRole('group', { name: 'Argument' }).getByRole('radio', { name: 'Weak' }),
    ).toBeChecked()
    await expect(dialog(page).getByRole('textbox', { name: 'Feedback' })).toHaveValue('Too short.')
    await expect(dialog(page).getByText('The second, of 1999.')).toBeVisible()
    await check(page, 'correcting a review')
    await choose(page, 'Argument', 'Strong')
    await dialog(page).getByRole('textbox', { name: 'Feedback' }).fill('Short, and good.')
    await dialog(page).getByRole('button', { name: 'Submit' }).click()
    await answerBox(page, 'Success', 'Your review is corrected.')
    await expect(row(page, title).getByRole('cell', { name: '20', exact: true })).toBeVisible()

    await api.reviewByLevels(dan.token, id, [1, 1])
    await page.reload()
    await expect(row(page, title).getByText('finalized')).toBeVisible()
    await expect(row(page, title).getByRole('button', { name: 'Correct' })).toHaveCount(0)

    await row(student, title).getByRole('link', { name: 'How was my mark made?' }).click()
    const reviews = student.getByRole('region', { name: 'What the reviewers said' })
    await expect(reviews.getByText('Your own judgment')).toBeVisible()
    await expect(reviews.getByText('Which edition do you quote?')).toBeVisible()
    await expect(reviews.getByText('Short, and good.')).toBeVisible()
    await expect(reviews.getByText('Corrected once')).toHaveCount(0)
    await check(student, 'reviews beside one’s own judgement')

    const creator = await newPerson()
    await signIn(creator, ada, new URL(student.url()).pathname)
    await creator.getByText('Corrected once').click()
    await expect(creator.getByText('Too short.')).toBeVisible()
    await check(creator, 'what a review said before')
  })
})

test('a rubric is saved for a circle, and another member picks it', async ({ page, newPerson, api }) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const circle = await api.circle(ada.token, { name: uniqueWord() })
  await api.join(ben.token, await api.invite(ada.token, circle, { role: 'member' }))
  await signIn(page, ada, `/create-assignment?circle=${circle}`)
  await page.getByRole('combobox', { name: 'Reviews needed' }).selectOption('2')
  await page.getByRole('button', { name: 'Add a criterion' }).click()
  await page.getByRole('textbox', { name: 'Criterion', exact: true }).fill('Argument')
  await page.getByRole('button', { name: 'Save this rubric' }).click()
  await page.getByRole('textbox', { name: 'Name of the rubric' }).fill('Essays')
  await page.getByRole('combobox', { name: 'Keep it for' }).selectOption('The circle')
  await check(page, 'saving a rubric', [320])
  await page.getByRole('button', { name: 'Save rubric' }).click()
  await expectToast(page, 'Rubric saved')
  await expect(page.getByRole('button', { name: 'Save this rubric' })).toBeFocused()

  const other = await newPerson()
  await signIn(other, ben, `/create-assignment?circle=${circle}`)
  await other.getByRole('combobox', { name: 'Reviews needed' }).selectOption('2')
  await other.getByRole('combobox', { name: 'Saved rubric' }).selectOption('Essays')
  await expect(other.getByRole('button', { name: 'Delete it' })).toHaveCount(0)
  await other.getByRole('button', { name: 'Use it' }).click()
  await expect(other.getByRole('textbox', { name: 'Criterion', exact: true })).toHaveValue('Argument')
  await expect(other.getByLabel('Marks', { exact: true })).toHaveValue('10')
  await check(other, 'picking a saved rubric', [320])
})

test('phrases are offered while feedback is typed, and chosen by keys', async ({ page, api }) => {
  const [ada, ben, cleo] = [await api.user('Ada'), await api.user('Ben'), await api.user('Cleo')]
  const title = uniqueWord()
  const id = await api.assignment(ada.token, { title, reviewsNeeded: 2 })
  await api.submission(ben.token, id)
  await signIn(page, cleo, '/pending-assignments')
  await row(page, title).getByRole('button', { name: 'Review next' }).click()
  await dialog(page).getByRole('button', { name: 'My phrases' }).click()
  const phrases = page.getByRole('dialog', { name: 'My Phrases' })
  await phrases
    .getByRole('textbox', { name: 'One phrase per line' })
    .fill('Well argued.\nWell written, but too long.\nName your sources.')
  await phrases.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Phrases saved')
  const feedback = dialog(page).getByRole('textbox', { name: 'Feedback' })
  await feedback.pressSequentially('Thank you. wel')
  const list = page.getByRole('listbox', { name: 'Your phrases' })
  await expect(list.getByRole('option')).toHaveText(['Well argued.', 'Well written, but too long.'])
  await check(page, 'phrases that are offered', [320])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(list.getByRole('option', { selected: true })).toHaveText('Well written, but too long.')
  await page.keyboard.press('Enter')
  await expect(feedback).toHaveValue('Thank you. Well written, but too long.')
  await feedback.pressSequentially(' nam')
  await expect(list).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(list).toHaveCount(0)
  await expect(dialog(page)).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(feedback).toHaveValue('Thank you. Well written, but too long. nam\n')
})
