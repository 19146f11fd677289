import { check } from '../support/accessible'
import { answerBox, card, expectToast, inDays, login, uniqueWord } from '../support/product'
import { expect, test } from '../support/test'

test('the card is previewed while the user writes, and a drawing fills in its picture', async ({
  page,
  api,
}) => {
  await login(page, await api.user('Ada'))
  await page.goto('/create-assignment')
  const preview = page.getByRole('complementary', { name: 'Preview' })
  const word = uniqueWord()
  await page.getByRole('textbox', { name: 'Title' }).fill(word)
  await page.getByRole('textbox', { name: 'Description' }).fill('Say what you think.')
  await page.getByLabel('Marks').fill('35')
  await page.getByRole('combobox', { name: 'Level' }).selectOption('Hard')
  await page.getByRole('textbox', { name: 'Due Date' }).fill(inDays(3))
  await page.getByRole('button', { name: 'Astronomy' }).click()
  for (const text of [word, '35 marks', 'Hard', inDays(3)]) await expect(preview).toContainText(text)
  await expect(preview.locator('img')).toHaveAttribute('src', /\/art\/thumbs\/astronomy\.svg$/)
  await page.getByRole('button', { name: 'Create Assignment' }).click()
  await expectToast(page, 'Assignment created successfully')
  await expect(card(page, word).locator('img')).toHaveAttribute('src', /\/art\/thumbs\/astronomy\.svg$/)
})

test('one assignment in two windows: the later save reverts nothing and reports the other changes', async ({
  page,
  context,
  api,
  consoleErrors,
}) => {
  consoleErrors.allow(/412/)
  const ada = await api.user('Ada')
  const word = uniqueWord()
  const id = await api.assignment(ada.token, { title: word, marks: 20 })
  // Neither hears of the other's changes.
  await context.route('**/api/events', () => new Promise(() => undefined))
  await login(page, ada)
  await page.goto(`/assignment/update/${id}`)
  const other = await context.newPage()
  await other.goto(`/assignment/update/${id}`)
  await other.getByRole('textbox', { name: 'Title' }).fill(`${word} mine`)
  await page.getByLabel('Marks').fill('30')
  await page.getByRole('textbox', { name: 'Title' }).fill(`${word} theirs`)
  await page.getByRole('button', { name: 'Update Assignment' }).click()
  await answerBox(page, 'Are you sure?', 'You Update this assignment')
  await answerBox(page, 'Updated', null)

  await other.getByRole('button', { name: 'Update Assignment' }).click()
  await answerBox(other, 'Are you sure?', 'You Update this assignment')
  await expect(other.getByText('This assignment has been changed in another window.')).toBeVisible()
  await expect(other.getByText(`${word} theirs`)).toBeVisible()
  await expect(other.getByRole('textbox', { name: 'Title' })).toHaveValue(`${word} mine`)
  await expect(other.getByLabel('Marks')).toHaveValue('30')
  await check(other, 'changed meanwhile')
  await other.getByRole('button', { name: 'Update Assignment' }).click()
  await answerBox(other, 'Are you sure?', 'You Update this assignment')
  await answerBox(other, 'Updated', null)
  await other.goto(`/assignment/${id}`)
  await expect(other.getByRole('heading', { level: 1, name: `${word} mine` })).toBeVisible()
  await expect(other.getByText('30', { exact: true })).toBeVisible()
})

test('assignments of others wait for a press; the user’s own shows at once', async ({ page, api }) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const word = uniqueWord()
  await api.assignment(ada.token, { title: `${word} first` })
  await login(page, ben)
  await page.goto(`/assignments?search=${word}`)
  await expect(page.getByRole('article')).toHaveCount(1)
  await api.assignment(ada.token, { title: `${word} second` })
  const waiting = page.getByRole('button', { name: '1 new' })
  await expect(waiting).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(1)
  await check(page, 'one new')
  await waiting.click()
  await expect(card(page, `${word} second`)).toBeVisible()
  await expect(waiting).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await api.assignment(ben.token, { title: `${word} third` })
  await expect(card(page, `${word} third`)).toBeVisible()
})

test('cards of others say so before the press; Delete asks by the title', async ({ page, api }) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const word = uniqueWord()
  await api.assignment(ada.token, { title: `${word} of Ada` })
  await api.assignment(ben.token, { title: `${word} of Ben` })
  await login(page, ben)
  await page.goto(`/assignments?search=${word}`)
  const [theirs, own] = [card(page, `${word} of Ada`), card(page, `${word} of Ben`)]
  for (const control of [
    theirs.getByRole('link', { name: 'Update' }),
    theirs.getByRole('button', { name: 'Delete' }),
  ])
    await expect(control).toHaveAttribute('title', 'Only its creator can do this')
  await expect(own.getByRole('link', { name: 'Update' })).not.toHaveAttribute('title')
  await theirs.getByRole('button', { name: 'Delete' }).click()
  await answerBox(page, 'Unauthorized', 'This is not your assignment.')
  await own.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('alertdialog', { name: 'Are you sure?' })).toContainText(`${word} of Ben`)
  await answerBox(page, 'Are you sure?', "You won't be able to revert this!", 'Cancel')
})

test('a creator updates and deletes from the details', async ({ page, api }) => {
  const ada = await api.user('Ada')
  const word = uniqueWord()
  const id = await api.assignment(ada.token, { title: word })
  await login(page, ada)
  await page.goto(`/assignment/${id}`)
  await expect(page.getByText('This is your assignment.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Update' })).toHaveAttribute('href', `/assignment/update/${id}`)
  await page.getByRole('button', { name: 'Delete' }).click()
  await answerBox(page, 'Are you sure?', null, 'Yes, delete it!')
  await expectToast(page, 'Deleted successfully')
  await expect(page).toHaveURL(/\/assignments$/)
})

test('one page needs no page numbers, and the search box has one cross, its own', async ({ page, api }) => {
  const { token } = await api.user('Ada')
  const word = uniqueWord()
  await api.assignment(token, { title: word })
  await page.goto(`/assignments?search=${word}`)
  await expect(card(page, word)).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Pages' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect(page).toHaveURL(/\/assignments$/)
  await expect(page.getByRole('searchbox')).toBeFocused()
  await expect(page.getByRole('button', { name: 'Clear' })).toBeHidden()
})

test('the first card is large on the first page only', async ({ page, api }) => {
  const { token } = await api.user('Ada')
  const word = uniqueWord()
  for (let i = 0; i < 14; i++) await api.assignment(token, { title: `${word} ${i}` })
  const widthOf = async (nth: number) => (await page.getByRole('article').nth(nth).boundingBox())?.width ?? 0
  // The cards of the frame are replaced once the script runs: two widths may be of either.
  const ratio = async () => (await widthOf(0)) / (await widthOf(1))
  await page.goto(`/assignments?search=${word}`)
  await expect(page.getByRole('article')).toHaveCount(10)
  await expect.poll(ratio).toBeGreaterThan(2)
  await page.goto(`/assignments?search=${word}&page=2`)
  await expect(page.getByRole('article')).toHaveCount(4)
  await expect.poll(ratio).toBe(1)
})
