import { signIn } from '../support/api'
import {
  answerBox,
  card,
  expectToast,
  fillRegistration,
  newPerson,
  row,
  uniqueWord,
} from '../support/product'
import { expect, test } from '../support/test'

test('an address past the end leads to the last page', async ({ page, api }) => {
  const { token } = await api.user('Ada')
  const word = uniqueWord()
  for (let i = 0; i < 11; i++) await api.assignment(token, { title: `${word} ${i}` })
  await page.goto(`/assignments?search=${word}&page=99`)
  await expect(page).toHaveURL(/page=2/)
  await expect(page.getByRole('article')).toHaveCount(1)
})

test('deleting the last card of the last page leads to the page before', async ({ page, api }) => {
  const ada = await api.user('Ada')
  const word = uniqueWord()
  for (let i = 0; i < 11; i++) await api.assignment(ada.token, { title: `${word} ${i}` })
  await signIn(page, ada, `/assignments?search=${word}&page=2`)
  await card(page, `${word} 0`).getByRole('button', { name: 'Delete' }).click()
  await answerBox(page, 'Are you sure?', "You won't be able to revert this!", 'Yes, delete it!')
  await expectToast(page, 'Deleted successfully')
  await expect(page.getByRole('article')).toHaveCount(10)
  await expect(page.getByText('No assignments available.')).toHaveCount(0)
})

test('one’s own submissions past the end lead to the last page', async ({ page, api }) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const title = uniqueWord()
  await api.submission(ben.token, await api.assignment(ada.token, { title }))
  await signIn(page, ben, '/attemded-assignments?page=7')
  await expect(row(page, title)).toBeVisible()
})

test('a page of comments past the end leads to the last one, and never says that there are none', async ({
  page,
  api,
}) => {
  const ada = await api.user('Ada')
  const id = await api.assignment(ada.token, { title: uniqueWord() })
  for (let n = 1; n <= 21; n++) await api.comment(ada.token, id, `Thread ${n}.`)
  const path = `/assignment/${id}?comments=9`
  expect(await (await page.request.get(path)).text()).not.toContain('No comments yet')
  await page.goto(path)
  await expect(page).toHaveURL(`/assignment/${id}?comments=2`)
  await expect(page.getByRole('region', { name: 'Discussion' }).getByRole('article')).toHaveText(
    /Thread 21\./,
  )
})

test('Escape folds the menu of a small screen', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto('/assignments')
  const menu = page.getByRole('button', { name: 'Menu' })
  await menu.click()
  await expect(menu).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('Escape')
  await expect(menu).toHaveAttribute('aria-expanded', 'false')
})

test('a success takes the errors before it away', async ({ page }) => {
  await page.goto('/auth/register')
  const ada = newPerson('Ada')
  await fillRegistration(page, { ...ada, password: 'circle1' })
  const password = page.getByRole('textbox', { name: 'Password' })
  const submit = page.getByRole('button', { name: 'Register', exact: true })
  await submit.click()
  await expectToast(page, 'Password must have at least one uppercase letter', 'alert')
  await password.fill('Circle1')
  await submit.click()
  await expectToast(page, `${ada.name} your Register successfull`)
  await expect(page.getByRole('alert').filter({ hasText: 'uppercase' })).toHaveCount(0)
})
