import { signIn, type Api, type User } from '../support/api'
import { answerBox, expectToast, row, uniqueWord } from '../support/product'
import { expect, test, type Page } from '../support/test'

/** Reviewing: the fewest keys, and drafts that outlive failures. */

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Mark Assignment' })
const feedback = (page: Page) => dialog(page).getByRole('textbox', { name: 'Feedback' })
const submit = (page: Page) => dialog(page).getByRole('button', { name: 'Submit' }).click()

const level = (label: string, marks: number) => ({ label, marks })
const levels = [level('Weak', 0), level('Strong', 10)]
const rubric = {
  criteria: [
    { title: 'Argument', levels },
    { title: 'Language', levels },
  ],
}

interface Desk {
  reviewer: User
  submitter: User
  creator: User
  title: string
  assignment: string
  submission: string
}

/** Work by Ben that Cleo can review. */
async function workToReview(api: Api, fields: object = {}): Promise<Desk> {
  const [creator, submitter, reviewer] = [
    await api.user('Ada'),
    await api.user('Ben'),
    await api.user('Cleo'),
  ]
  const title = uniqueWord()
  const assignment = await api.assignment(creator.token, { title, reviewsNeeded: 2, ...fields })
  const submission = await api.submission(submitter.token, assignment)
  return { reviewer, submitter, creator, title, assignment, submission }
}

/** Opens it, and types something. */
async function beginReview(page: Page, { title }: Desk): Promise<void> {
  await row(page, title).getByRole('button', { name: 'Review next' }).click()
  await dialog(page).getByLabel('Marks').fill('12')
  await feedback(page).fill('Well argued, but step 2 needs a source.')
}

/** Expects the typed text to be there still, and to be copyable. */
async function expectKept(page: Page): Promise<void> {
  await expect(dialog(page).getByText('Your review was not sent.')).toBeVisible()
  await expect(feedback(page)).toHaveValue('Well argued, but step 2 needs a source.')
  await expect(dialog(page).getByRole('button', { name: 'Copy what I wrote' })).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Close' }).click()
  await expect(dialog(page)).toHaveCount(0)
}

test('a review takes four presses, by pointer and by keys', async ({ page, api }) => {
  const desk = await workToReview(api, { rubric })
  for (const name of ['Dan', 'Eve']) await api.submission((await api.user(name)).token, desk.assignment)
  await signIn(page, desk.reviewer, '/pending-assignments')
  await row(page, desk.title).getByRole('button', { name: 'Review next' }).click()
  let presses = 0
  const press = async (name: string, role: 'button' | 'radio', within = dialog(page)) => {
    presses++
    await within.getByRole(role, { name }).click()
  }
  const argument = dialog(page).getByRole('group', { name: 'Argument' })
  await press('Strong 10 marks', 'radio', argument)
  await press('Weak 0 marks', 'radio', dialog(page).getByRole('group', { name: 'Language' }))
  await expect(dialog(page).getByRole('region', { name: 'Before you send' })).toContainText('no feedback yet')
  await press('Submit', 'button')
  const success = page.getByRole('dialog', { name: 'Success' })
  await expect(success.getByText('Assignment marked successfully!')).toBeVisible()
  await press('Next', 'button', success)
  expect(presses).toBe(4)

  await expect(argument).toBeVisible()
  for (const key of ['2', '1', 'Control+Enter']) await page.keyboard.press(key)
  await expect(success.getByRole('button', { name: 'Next' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(argument.getByRole('radio', { checked: true })).toHaveCount(0)
  await expect(dialog(page).getByText(/^Reserved for you until/)).toBeVisible()
})

test('after the last review no next one is offered', async ({ page, api }) => {
  const desk = await workToReview(api)
  await api.submission((await api.user('Dan')).token, desk.assignment)
  await signIn(page, desk.reviewer, '/pending-assignments')
  await beginReview(page, desk)
  await submit(page)
  const success = page.getByRole('dialog', { name: 'Success' })
  await success.getByRole('button', { name: 'Next' }).click()
  await dialog(page).getByLabel('Marks').fill('9')
  await submit(page)
  await expect(success.getByRole('button', { name: 'OK' })).toBeVisible()
  await expect(success.getByRole('button', { name: 'Next' })).toHaveCount(0)
  await success.getByRole('button', { name: 'OK' }).click()
  await expect(row(page, desk.title)).toContainText('Nothing here for you to review now')
})

test('Submit stays in sight at every width', async ({ page, api }) => {
  const criteria = Array.from({ length: 6 }, (_, at) => ({ title: `Criterion ${at}`, levels }))
  const desk = await workToReview(api, { rubric: { criteria }, marks: 60 })
  await signIn(page, desk.reviewer, '/pending-assignments')
  await row(page, desk.title).getByRole('button', { name: 'Review next' }).click()
  for (const width of [320, 390, 820, 1280, 1920]) {
    await page.setViewportSize({ width, height: 700 })
    const first = dialog(page).getByRole('radio', { name: 'Weak 0 marks' }).first()
    await first.scrollIntoViewIfNeeded()
    await expect(dialog(page).getByRole('button', { name: 'Submit' })).toBeInViewport({ ratio: 1 })
    await first.click()
  }
})

test('a reservation is known in every browser', async ({ page, newPerson, api }) => {
  const desk = await workToReview(api)
  await signIn(page, desk.reviewer, '/pending-assignments')
  await beginReview(page, desk)
  const other = await newPerson()
  await signIn(other, desk.reviewer, '/pending-assignments')
  const reserved = other.getByRole('region', { name: 'Reserved for you' })
  await expect(reserved).toContainText(desk.title)
  await reserved.getByRole('button', { name: 'Continue' }).click()
  await dialog(other).getByLabel('Marks').fill('11')
  await submit(other)
  await answerBox(other, 'Success', 'Assignment marked successfully!')
  await expect(reserved).toHaveCount(0)
})

test('a document is read beside the form, after a press', async ({ page, api }) => {
  await page.route('https://docs.google.com/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<h1>My essay</h1>' }),
  )
  const desk = await workToReview(api)
  await signIn(page, desk.reviewer, '/pending-assignments')
  await row(page, desk.title).getByRole('button', { name: 'Review next' }).click()
  const frame = dialog(page).frameLocator('iframe[title="Document"]')
  await expect(dialog(page).locator('iframe')).toHaveCount(0)
  const asked = page.waitForRequest('https://docs.google.com/document/d/1/preview')
  await dialog(page).getByRole('button', { name: 'Show document here' }).click()
  expect((await asked).headers()['referer']).toBeUndefined()
  await expect(frame.getByRole('heading', { name: 'My essay' })).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await row(page, desk.title).getByRole('button', { name: 'Review next' }).click()
  await expect(frame.getByRole('heading', { name: 'My essay' })).toBeVisible()
  await expect(dialog(page).getByRole('link', { name: 'View Document' })).toBeVisible()
})

test.describe('typed text stays', () => {
  test('where another tab was quicker', async ({ page, context, api, consoleErrors }) => {
    consoleErrors.allow(/409/)
    const desk = await workToReview(api)
    await signIn(page, desk.reviewer, '/pending-assignments')
    await beginReview(page, desk)
    const other = await context.newPage()
    await other.goto('/pending-assignments')
    await row(other, desk.title).getByRole('button', { name: 'Review next' }).click()
    await dialog(other).getByLabel('Marks').fill('3')
    await submit(other)
    await answerBox(other, 'Success', 'Assignment marked successfully!')
    await submit(page)
    await answerBox(page, 'Error', 'You have already reviewed this submission, in another tab or browser.')
    await expectKept(page)
  })

  test('while there is no connection, and is sent afterwards', async ({
    page,
    context,
    api,
    consoleErrors,
  }) => {
    consoleErrors.allow(/ERR_INTERNET_DISCONNECTED/)
    const desk = await workToReview(api)
    await signIn(page, desk.reviewer, '/pending-assignments')
    await beginReview(page, desk)
    await context.setOffline(true)
    await submit(page)
    const box = page.getByRole('alertdialog', { name: 'Error' })
    await expect(box).toContainText('The server cannot be reached.')
    await answerBox(page, 'Error', 'Something went wrong')
    await expect(feedback(page)).toHaveValue('Well argued, but step 2 needs a source.')
    await context.setOffline(false)
    await submit(page)
    await answerBox(page, 'Success', 'Assignment marked successfully!')
  })

  test('when the reservation ends, and can be sent while a slot is free', async ({ page, api }) => {
    const desk = await workToReview(api)
    await page.clock.install()
    await signIn(page, desk.reviewer, '/pending-assignments')
    await beginReview(page, desk)
    await page.clock.fastForward('49:00:00')
    await expect(
      dialog(page).getByText(/^It is no longer reserved for you\. Your draft is saved\./),
    ).toBeVisible()
    await expect(feedback(page)).toHaveValue('Well argued, but step 2 needs a source.')
    await submit(page)
    await answerBox(page, 'Success', 'Assignment marked successfully!')
  })

  test('when it was given back elsewhere', async ({ page, context, api, consoleErrors }) => {
    consoleErrors.allow(/403/)
    const desk = await workToReview(api)
    await signIn(page, desk.reviewer, '/pending-assignments')
    await beginReview(page, desk)
    const other = await context.newPage()
    await other.goto('/pending-assignments')
    await row(other, desk.title).getByRole('button', { name: 'Review next' }).click()
    await dialog(other).getByRole('button', { name: 'Give back' }).click()
    await answerBox(other, 'Give it back?', null, 'Give back')
    await expectToast(other, 'Given back. Thank you for looking.')
    await submit(page)
    await answerBox(
      page,
      'Error',
      'It is no longer reserved for you, and others have it now. What you wrote is still here.',
    )
    await expect(feedback(page)).toHaveValue('Well argued, but step 2 needs a source.')
  })

  test('when the submitter withdraws the submission', async ({ page, api, consoleErrors }) => {
    consoleErrors.allow(/404/)
    const desk = await workToReview(api)
    await signIn(page, desk.reviewer, '/pending-assignments')
    await beginReview(page, desk)
    await api.withdraw(desk.submitter.token, desk.submission)
    await submit(page)
    await answerBox(page, 'Error', 'This submission is gone: it was withdrawn, or a moderator has hidden it.')
    await expectKept(page)
  })

  test('when the creator deletes the assignment, and is sent', async ({ page, api, consoleErrors }) => {
    // Under the pointer, the list's link to the deleted assignment prefetches its discussion.
    consoleErrors.allow(/404/)
    const desk = await workToReview(api)
    await signIn(page, desk.reviewer, '/pending-assignments')
    await beginReview(page, desk)
    await api.remove(desk.creator.token, desk.assignment)
    await submit(page)
    await answerBox(page, 'Success', 'Assignment marked successfully!')
  })
})
