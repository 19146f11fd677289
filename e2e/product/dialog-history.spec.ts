import { signIn, type Api } from '../support/api'
import { answerBox, login, uniqueWord } from '../support/product'
import { expect, test, type Page } from '../support/test'

/** Back and Forward where dialogs open and close, on pages that the browser has loaded in full. */

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Submit Assignment' })
const take = (page: Page) => page.getByRole('button', { name: 'Take Assignment' })

/** Ben, at an assignment of Ada's, with the list of assignments before it in the history. */
async function arrive(page: Page, api: Api): Promise<string> {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const path = `/assignment/${await api.assignment(ada.token, { title: uniqueWord() })}`
  await signIn(page, ben, '/assignments')
  await page.goto(path)
  await take(page).click()
  await expect(dialog(page)).toBeVisible()
  return path
}

test('Back closes a box, then the dialog under it, and leaves the page only then', async ({ page, api }) => {
  const path = await arrive(page, api)
  await dialog(page).getByRole('button', { name: 'Submit' }).click()
  const box = page.getByRole('alertdialog', { name: 'Error' })
  await expect(box).toBeVisible()
  await page.goBack()
  await expect(box).toBeHidden()
  await expect(dialog(page)).toBeVisible()
  await page.goBack()
  await expect(dialog(page)).toBeHidden()
  await expect(page).toHaveURL(path)
  await page.goBack()
  await expect(page).toHaveURL('/assignments')
})

test('a dialog that was closed leaves nothing for Back or Forward', async ({ page, api }) => {
  const path = await arrive(page, api)
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  await expect(take(page)).toBeFocused()
  await page.goForward()
  await expect(page).toHaveURL(path)
  await expect(dialog(page)).toHaveCount(0)
  await take(page).click()
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog(page)).toBeHidden()
  await page.goBack()
  await expect(page).toHaveURL('/assignments')
})

test('a dialog that Back closed can be opened and closed again', async ({ page, api }) => {
  const path = await arrive(page, api)
  for (let times = 0; times < 2; times++) {
    await page.goBack()
    await expect(dialog(page)).toBeHidden()
    await expect(page).toHaveURL(path)
    await take(page).click()
    await expect(dialog(page)).toBeVisible()
  }
})

test('a page that a message leads to comes right after the page of the message', async ({ page, api }) => {
  const path = await arrive(page, api)
  await dialog(page)
    .getByRole('textbox', { name: 'Google Docs Link' })
    .fill('https://docs.google.com/document/d/1')
  await dialog(page).getByRole('button', { name: 'Submit' }).click()
  await page
    .getByRole('dialog', { name: 'Success!' })
    .getByRole('link', { name: 'See it in My Submitted' })
    .click()
  await expect(page).toHaveURL('/attemded-assignments')
  await page.goBack()
  await expect(page).toHaveURL(path)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.goForward()
  await expect(page).toHaveURL('/attemded-assignments')
  await page.goBack()
  await page.goBack()
  await expect(page).toHaveURL('/assignments')
})

test('Back answers a question with no', async ({ page, api }) => {
  const ada = await api.user('Ada')
  const title = uniqueWord()
  await signIn(page, ada, `/assignment/update/${await api.assignment(ada.token, { title, marks: 35 })}`)
  await page.getByLabel('Marks').fill('36')
  const updated: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') updated.push(new URL(request.url()).pathname)
  })
  await page.getByRole('button', { name: 'Update Assignment' }).click()
  await expect(page.getByRole('alertdialog', { name: 'Are you sure?' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expect(page.getByLabel('Marks')).toHaveValue('36')
  await expect(page.getByRole('button', { name: 'Update Assignment' })).toBeFocused()
  expect(updated.filter((path) => path.includes('assignment'))).toEqual([])
})

test('a page that is replaced after a question is not in the history', async ({ page, api }) => {
  const ada = await api.user('Ada')
  const id = await api.assignment(ada.token, { title: uniqueWord() })
  await signIn(page, ada, '/about-Us')
  await page.goto(`/assignment/update/${id}`)
  await page.getByLabel('Marks').fill('36')
  await page.getByRole('button', { name: 'Update Assignment' }).click()
  await answerBox(page, 'Are you sure?', 'You Update this assignment')
  await answerBox(page, 'Updated', null)
  await expect(page).toHaveURL('/assignments')
  await page.goBack()
  await expect(page).toHaveURL('/about-Us')
})

test('a dialog that opens after signing in closes on Back', async ({ page, api }) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const path = `/assignment/${await api.assignment(ada.token, { title: uniqueWord() })}`
  await page.goto('/assignments')
  await page.goto(path)
  await take(page).click()
  await expect(page).toHaveURL('/auth/login')
  await login(page, ben)
  await expect(dialog(page)).toBeVisible()
  await page.goBack()
  await expect(dialog(page)).toBeHidden()
  await expect(page).toHaveURL(path)
  await page.goBack()
  await expect(page).toHaveURL(path)
  await page.goBack()
  await expect(page).toHaveURL('/assignments')
})

test('a page that is reloaded while a dialog is open keeps one entry', async ({ page, api }) => {
  const path = await arrive(page, api)
  await page.reload()
  await expect(take(page)).toBeVisible()
  await expect(page.locator('time').first()).toHaveAttribute('title', /day/)
  await expect(dialog(page)).toHaveCount(0)
  await expect(page).toHaveURL(path)
  await expect(async () =>
    expect(await page.evaluate(() => history.state)).not.toHaveProperty('dialogs'),
  ).toPass()
  await page.goBack()
  await expect(page).toHaveURL('/assignments')
})

test('a session that ends while a dialog is open leaves no entry behind', async ({
  page,
  api,
  consoleErrors,
}) => {
  // The server refuses the page's call at the moment of the sign-out.
  consoleErrors.allow(/401/)
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const title = uniqueWord()
  await api.submission(ben.token, await api.assignment(ada.token, { title }))
  await signIn(page, ada, '/about-Us')
  await page.goto('/pending-assignments')
  await page.getByRole('row').filter({ hasText: title }).getByRole('button', { name: 'Give Mark' }).click()
  const desk = page.getByRole('dialog', { name: 'Mark Assignment' })
  await expect(desk).toBeVisible()
  const other = await page.context().newPage()
  await other.goto('/about-Us')
  await other.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/auth/login')
  await page.goBack()
  await expect(page).toHaveURL('/about-Us')
})

test('Back closes a dialog first also after a link to a place on the page', async ({ page, api }) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const path = `/assignment/${await api.assignment(ada.token, { title: uniqueWord() })}`
  await signIn(page, ben, path)
  await page.keyboard.press('Tab')
  await page.getByRole('link', { name: 'Skip to content' }).press('Enter')
  await expect(page).toHaveURL(`${path}#main`)
  await take(page).click()
  await expect(dialog(page)).toBeVisible()
  await page.goBack()
  await expect(dialog(page)).toBeHidden()
  await expect(page).toHaveURL(`${path}#main`)
  await page.goBack()
  await expect(page).toHaveURL(path)
})
