import { signIn } from '../support/api'
import { answerBox, row, submitWork, uniqueWord } from '../support/product'
import { expect, test } from '../support/test'

test('after handing in, the page confirms it, links to the list, and offers a change', async ({
  page,
  api,
}) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const word = uniqueWord()
  const id = await api.assignment(ada.token, { title: word })
  await signIn(page, ben, `/assignment/${id}`)
  await submitWork(page, 'https://docs.google.com/document/d/1')
  await expect(page.getByText('Handed in')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Take Assignment' })).toHaveCount(0)
  // The button that had the focus is gone; the focus is where it was.
  await expect(page.locator(':focus')).toContainText('Handed in')
  await page.reload()
  await expect(page.getByText('Handed in')).toBeVisible()
  await page.getByRole('button', { name: 'Change' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change Submission' })
  await expect(dialog.getByRole('textbox', { name: 'Google Docs Link' })).toHaveValue(/\/d\/1$/)
  await dialog.getByRole('textbox', { name: 'Note' }).fill('Second thoughts')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  await page.getByRole('link', { name: 'My Submitted' }).click()
  await expect(row(page, word)).toContainText('Second thoughts')
  await row(page, word).getByRole('button', { name: 'Withdraw' }).click()
  await answerBox(page, 'Are you sure?', null, 'Yes, withdraw it')
  await expect(row(page, word)).toHaveCount(0)
  await page.goto(`/assignment/${id}`)
  await expect(page.getByRole('button', { name: 'Take Assignment' })).toBeVisible()
})

test('success shows the way to the list', async ({ page, api }) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const word = uniqueWord()
  await signIn(page, ben, `/assignment/${await api.assignment(ada.token, { title: word })}`)
  await page.getByRole('button', { name: 'Take Assignment' }).click()
  const dialog = page.getByRole('dialog', { name: 'Submit Assignment' })
  await dialog.getByRole('textbox', { name: 'Google Docs Link' }).fill('https://docs.google.com/document/d/1')
  await dialog.getByRole('button', { name: 'Submit' }).click()
  const box = page.getByRole('dialog', { name: 'Success!' })
  await expect(box.getByRole('button', { name: 'OK' })).toBeFocused()
  await box.getByRole('link', { name: 'See it in My Submitted' }).click()
  await expect(page).toHaveURL(/\/attemded-assignments$/)
  await expect(row(page, word)).toContainText('pending')
  await row(page, word).getByRole('button', { name: 'Withdraw' }).click()
  await answerBox(page, 'Are you sure?', null, 'Yes, withdraw it')
  await expect(row(page, word)).toHaveCount(0)
})

test('a late submitter is warned before handing in', async ({ page, api }) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const dueDate = new Date(Date.now() - 12 * 3_600_000).toISOString()
  await signIn(page, ben, `/assignment/${await api.assignment(ada.token, { title: uniqueWord(), dueDate })}`)
  await page.getByRole('button', { name: 'Take Assignment' }).click()
  await expect(page.getByRole('dialog', { name: 'Submit Assignment' })).toContainText(
    'You can still hand it in; it will be marked as late.',
  )
})

test('an assignment that is deleted while its page is open', async ({ page, api, consoleErrors }) => {
  consoleErrors.allow(/404/)
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const word = uniqueWord()
  const id = await api.assignment(ada.token, { title: word })
  const listening = page.waitForResponse('**/api/events')
  await signIn(page, ben, `/assignment/${id}`)
  await expect(page.getByRole('button', { name: 'Take Assignment' })).toBeVisible()
  await listening
  await api.remove(ada.token, id)
  await expect(page.getByRole('alert').filter({ hasText: 'This assignment was deleted.' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Take Assignment' })).toHaveCount(0)
})

test('on a phone, Take Assignment is at hand without scrolling and covers nothing', async ({ page, api }) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const id = await api.assignment(ada.token, { title: uniqueWord() })
  await page.setViewportSize({ width: 320, height: 640 })
  await signIn(page, ben, `/assignment/${id}`)
  const take = page.getByRole('button', { name: 'Take Assignment' })
  await expect(take).toBeInViewport({ ratio: 1 })
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  const [bar, footer] = [await take.boundingBox(), await page.getByRole('contentinfo').boundingBox()]
  expect(bar && footer && footer.y + footer.height <= bar.y).toBe(true)
})

test('the due date stays in its column on the smallest phone', async ({ page, api }) => {
  const ada = await api.user('Ada')
  const dueDate = new Date(Date.now() + 5 * 86_400_000).toISOString()
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto(`/assignment/${await api.assignment(ada.token, { title: uniqueWord(), dueDate })}`)
  const near = page.getByText('in 5 days')
  await expect(near).toBeVisible()
  const inside = await near.evaluate((element) => {
    const column = element.closest('dd')?.getBoundingClientRect()
    return column !== undefined && element.getBoundingClientRect().right <= column.right + 0.5
  })
  expect(inside).toBe(true)
})
