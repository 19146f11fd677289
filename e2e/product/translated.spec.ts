import { signIn, type User } from '../support/api'
import {
  answerBox,
  card,
  createAssignment,
  expectToast,
  goTo,
  newPerson as aPerson,
  register,
  row,
  submitWork,
  uniqueWord,
} from '../support/product'
import { expect, test, type Page } from '../support/test'
import { translatePages } from '../support/translated'

/** In a page that the browser translates everything works that works in others, and numbers stay right. */

const dialogOf = (page: Page) => page.locator('dialog[open]').last()

/** Opens the dialog of each button, types into its boxes, and leaves it by Escape. */
async function visit(page: Page, ...buttons: string[]): Promise<void> {
  for (const button of buttons) {
    await page.getByRole('button', { name: button, exact: true }).first().click()
    const dialog = dialogOf(page)
    await expect(dialog.locator('font').first()).toBeAttached()
    for (const box of await dialog.locator('textarea:visible, input[type=text]:visible').all()) {
      if (await box.isEditable()) await box.fill('Some words')
    }
    await page.keyboard.press('Escape')
    await expect(page.locator('dialog[open]')).toHaveCount(0)
  }
}

for (const how of ['wraps', 'replaces'] as const) {
  test(`the main job where a translator ${how}`, async ({ newPerson }) => {
    const [ada, ben] = [aPerson('Ada'), aPerson('Ben')]
    const [first, second] = [await newPerson(), await newPerson()]
    for (const page of [first, second]) await translatePages(page.context(), how)
    const title = `Explain ${uniqueWord()}`
    await register(first, ada)
    await createAssignment(first, { title, marks: '20' })
    await expect(card(first, title)).toBeVisible()
    await register(second, ben)
    await second.goto(`/assignments?search=${encodeURIComponent(title)}`)
    await card(second, title).getByRole('link', { name: 'Details' }).click()
    await submitWork(second, 'https://docs.google.com/document/d/1', 'A note.')
    const box = second.getByRole('textbox', { name: 'Write a comment' })
    await box.fill('A question.')
    await second.getByRole('button', { name: 'Comment', exact: true }).click()
    await expect(second.getByText('A question.')).toBeVisible()
    await expect(box).toHaveValue('')

    await goTo(first, 'Pending Assignments')
    await row(first, title).getByRole('button', { name: 'Give Mark' }).click()
    const desk = first.getByRole('dialog', { name: 'Mark Assignment' })
    await desk.getByLabel('Marks').fill('18')
    await expect(desk.getByText('18', { exact: true })).toBeVisible()
    await desk.getByLabel('Marks').fill('17')
    await expect(desk.getByText('17', { exact: true })).toBeVisible()
    await expect(desk.getByText('18', { exact: true })).toHaveCount(0)
    await desk.getByRole('textbox', { name: 'Feedback' }).fill('Good.')
    await desk.getByRole('button', { name: 'Submit' }).click()
    await answerBox(first, 'Success', 'Assignment marked successfully!')
    await second.goto('/attemded-assignments')
    await expect(row(second, title).getByRole('cell')).toContainText([
      title,
      'completed',
      '20',
      '17',
      'Good.',
    ])
    await second.getByRole('button', { name: 'Logout' }).click()
    await expectToast(second, 'Logout successful')
  })
}

test('the dialogs', async ({ page, newPerson, api }) => {
  await translatePages(page.context(), 'replaces')
  const [ada, ben, cleo, dan]: [User, User, User, User] = [
    await api.user('Ada'),
    await api.user('Ben'),
    await api.user('Cleo'),
    await api.user('Dan'),
  ]
  const rubric = {
    criteria: [{ title: 'Argument', levels: [0, 10].map((marks) => ({ label: `Level ${marks}`, marks })) }],
  }
  const circle = await api.circle(ada.token, { name: uniqueWord() })
  await api.join(ben.token, await api.invite(ada.token, circle, { role: 'member' }))
  const settled = await api.assignment(ada.token, {
    title: uniqueWord(),
    marks: 10,
    reviewsNeeded: 2,
    rubric,
  })
  const settledWork = await api.submission(ben.token, settled)
  await api.comment(ben.token, settled, 'A comment.')
  for (const reviewer of [cleo, dan]) await api.reviewByLevels(reviewer.token, settled, [1])
  const open = uniqueWord()
  const graded = await api.assignment(ada.token, { title: open, marks: 10 })
  await api.submission(ben.token, graded)

  await signIn(page, ada, `/assignment/${settled}`)
  await visit(page, 'Report', 'Delete', 'Add an exemplar', 'Ask for another look')
  await page.goto('/pending-assignments')
  await row(page, open).getByRole('button', { name: 'Give Mark' }).click()
  for (const button of ['Send back', 'My phrases']) {
    await dialogOf(page).getByRole('button', { name: button }).click()
    await expect(page.locator('dialog[open]')).toHaveCount(2)
    await page.keyboard.press('Escape')
    await expect(page.locator('dialog[open]')).toHaveCount(1)
  }
  await page.keyboard.press('Escape')
  await page.goto('/circles')
  await visit(page, 'New circle', 'Join with a link')
  await page.goto(`/circle/${circle}?tab=members`)
  await visit(page, 'Invite', 'Upload a roster')
  for (const action of ['Edit', 'Remove']) {
    await row(page, 'Ben').getByRole('button', { name: 'Actions' }).click()
    await visit(page, action)
  }
  await page.goto(`/circle/${circle}?tab=settings`)
  await visit(page, 'Hand over', 'Archive circle', 'Delete circle')
  await page.goto('/profile')
  await visit(page, 'Delete account')
  await page.goto('/create-assignment')
  const reviews = page.getByRole('combobox', { name: 'Reviews needed' })
  await reviews.selectOption('2')
  await page.getByRole('button', { name: 'Add a criterion' }).click()
  await page.getByRole('textbox', { name: 'Criterion', exact: true }).fill('Argument')
  await reviews.selectOption('1')
  await reviews.selectOption('2')
  await expect(page.getByRole('textbox', { name: 'Criterion', exact: true })).toBeVisible()

  const student = await newPerson()
  await translatePages(student.context(), 'replaces')
  await signIn(student, ben, `/submission/${settledWork}/mark`)
  await visit(student, 'Appeal')
  await student.goto('/attemded-assignments')
  await row(student, open).getByRole('button', { name: 'Change' }).click()
  await expect(dialogOf(student)).toBeVisible()
  await student.keyboard.press('Escape')
  await row(student, open).getByRole('button', { name: 'Withdraw' }).click()
  await expect(dialogOf(student)).toBeVisible()
  await student.keyboard.press('Escape')
  await expect(row(student, open)).toBeVisible()
})
