import { signIn } from '../support/api'
import { answerBox, card, row, uniqueWord } from '../support/product'
import { expect, test, type Page } from '../support/test'

/** Grading, and the lists around it: contents, links and layout. */

const markDialog = (page: Page) => page.getByRole('dialog', { name: 'Mark Assignment' })
const sideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

test('a grader has the task, the submitter and the document beside the form', async ({ page, api }) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben Moor')]
  const word = uniqueWord()
  const dueDate = new Date(Date.now() - 12 * 3_600_000).toISOString()
  const id = await api.assignment(ada.token, { title: word, marks: 30, dueDate })
  await api.submission(ben.token, id, 'Mind the second page.')
  await signIn(page, ada, '/pending-assignments')
  await expect(row(page, word)).toContainText('Ben Moor')
  await expect(row(page, word)).toContainText(ben.email)
  await expect(row(page, word).getByRole('link', { name: word })).toHaveAttribute('href', `/assignment/${id}`)
  await row(page, word).getByRole('button', { name: 'Give Mark' }).click()
  const dialog = markDialog(page)
  for (const text of ['Ben Moor', 'Late', 'Handed in', 'Due', 'docs.google.com', 'Mind the second page.']) {
    await expect(dialog).toContainText(text)
  }
  const task = dialog.getByRole('region', { name: 'The task' })
  await expect(task).toContainText(word)
  await expect(task).toContainText('Say what you think.')
  await dialog.getByLabel('Marks').fill('21')
  await expect(dialog.getByText('of 30')).toBeVisible()
  await expect(dialog.locator('.pen-stroke')).toHaveCount(1)
  await dialog.getByLabel('Marks').fill('31')
  await expect(dialog.locator('.pen-stroke')).toHaveCount(0)
  await dialog.getByLabel('Marks').fill('30')
  await dialog.getByRole('button', { name: 'Submit' }).click()
  await answerBox(page, 'Success', 'Assignment marked successfully!')
  // The row is gone; the focus is in the one that took its place, or at the heading.
  await expect(page.locator(':is(td button, h1):focus')).toHaveCount(1)
})

test('work for a deleted assignment can still be graded, and the page explains why', async ({
  page,
  api,
  consoleErrors,
}) => {
  consoleErrors.allow(/404/)
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const word = uniqueWord()
  const id = await api.assignment(ada.token, { title: word })
  await api.submission(ben.token, id)
  await api.remove(ada.token, id)
  await signIn(page, ada, '/pending-assignments')
  await page.route('**/api/assignment/*', (route) =>
    route.fulfill({ status: 404, json: { code: 'not-found' } }),
  )
  await row(page, word).getByRole('button', { name: 'Give Mark' }).click()
  await expect(markDialog(page)).toContainText('The assignment was deleted.')
})

test('a grader goes on with another submission after a mark', async ({ page, api }) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const [first, second] = [uniqueWord(), uniqueWord()]
  for (const title of [first, second]) {
    await api.submission(ben.token, await api.assignment(ada.token, { title }))
  }
  const task = markDialog(page).getByRole('region', { name: 'The task' })
  await signIn(page, ada, '/pending-assignments')
  await row(page, first).getByRole('button', { name: 'Give Mark' }).click()
  await markDialog(page).getByLabel('Marks').fill('7')
  await markDialog(page).getByRole('button', { name: 'Submit' }).click()
  await answerBox(page, 'Success', 'Assignment marked successfully!', 'Mark another')
  await expect(task).toBeVisible()
  await expect(task).not.toContainText(first)
  await expect(markDialog(page).getByLabel('Marks')).toHaveValue('')
  await expect(row(page, first)).toHaveCount(0)
})

test('Back closes a dialog, then a box over it, and leaves the page only then', async ({ page, api }) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const id = await api.assignment(ada.token, { title: uniqueWord() })
  await signIn(page, ben, '/assignments')
  await page.getByRole('link', { name: 'Details' }).first().click()
  await page.getByRole('button', { name: 'Take Assignment' }).click()
  const dialog = page.getByRole('dialog', { name: 'Submit Assignment' })
  await dialog.getByRole('button', { name: 'Submit' }).click()
  const box = page.getByRole('alertdialog', { name: 'Error' })
  await expect(box).toBeVisible()
  await page.goBack()
  await expect(box).toBeHidden()
  await expect(dialog).toBeVisible()
  await page.goBack()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(new RegExp(id))
  await page.goBack()
  await expect(page).toHaveURL(/\/assignments$/)
})

test('a title of one long word and a long feedback stay in their places', async ({ page, api }) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const title = uniqueWord() + 'x'.repeat(189)
  const id = await api.assignment(ada.token, { title })
  const graded = await api.submission(ben.token, id, 'My note.')
  await api.grade(ada.token, graded, 20, 'Line upon line. '.repeat(300))
  await api.submission(ben.token, id)
  await signIn(page, ben, '/pending-assignments')
  for (const path of ['/pending-assignments', '/attemded-assignments']) {
    await page.goto(path)
    await expect(row(page, title).first()).toBeVisible()
    for (const width of [320, 700, 1024, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      expect(await sideways(page), `${path} at ${width}`).toBeLessThanOrEqual(0)
    }
  }
  const completed = row(page, title).filter({ hasText: 'completed' })
  expect((await completed.boundingBox())?.height).toBeLessThan(400)
  await completed.getByRole('button', { name: 'Show all' }).click()
  expect((await completed.boundingBox())?.height).toBeGreaterThan(600)
  // One's own work is at hand after the grade, too.
  await expect(completed).toContainText('My note.')
  await expect(completed.getByRole('link', { name: 'Document' })).toHaveAttribute('href', /docs\.google\.com/)
  await expect(completed.getByRole('link', { name: title })).toHaveAttribute('href', `/assignment/${id}`)
  // A list of one page needs no page numbers.
  await expect(page.getByRole('navigation', { name: 'Pages' })).toHaveCount(0)
})

test('a toast covers no control at the top of the page', async ({ page, api }) => {
  const ada = await api.user('Ada')
  const word = uniqueWord()
  await api.assignment(ada.token, { title: word })
  await signIn(page, ada, `/assignments?search=${word}`)
  await card(page, word).getByRole('button', { name: 'Delete' }).click()
  await answerBox(page, 'Are you sure?', null, 'Yes, delete it!')
  const toast = await page.getByRole('status').filter({ hasText: 'Deleted successfully' }).boundingBox()
  for (const control of ['link', 'button'] as const) {
    for (const each of await page.getByRole('main').getByRole(control).all()) {
      const box = await each.boundingBox()
      const beside =
        !toast ||
        !box ||
        box.y >= toast.y + toast.height ||
        box.y + box.height <= toast.y ||
        box.x + box.width <= toast.x
      expect(beside, await each.innerText()).toBe(true)
    }
  }
})
