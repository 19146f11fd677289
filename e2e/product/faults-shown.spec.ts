import { card, goTo, login, row, uniqueWord } from '../support/product'
import { expect, test, type Page } from '../support/test'

/** The page stays true, and the focus stays where the user works. */

async function put(page: Page, path: string, token: string, data: object): Promise<void> {
  const response = await page.request.put(path, { headers: { Authorization: `Bearer ${token}` }, data })
  expect(response.ok(), path).toBe(true)
}

const fields = (title: string, origin = '') => ({
  title,
  description: 'Say what you think.',
  marks: 20,
  level: 'easy',
  thumbnail: `${origin}/favicon.svg`,
  dueDate: '2199-01-02T23:59:59Z',
})

const listening = (page: Page) =>
  page.waitForResponse((response) => response.url().endsWith('/api/events') && response.ok())

test('an older list does not overwrite a newer assignment', async ({ page, api, baseURL }) => {
  const ada = await api.user('Ada')
  const [before, after] = [uniqueWord(), uniqueWord()]
  const id = await api.assignment(ada.token, { title: before })
  const begun = listening(page)
  await page.goto(`/assignment/${id}`)
  await begun
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const { promise: read, resolve: isRead } = Promise.withResolvers<void>()
  await page.route('**/api/assignments?**', async (route) => {
    const response = await route.fetch()
    isRead()
    await held
    await route.fulfill({ response })
  })
  const arrived = page.waitForResponse('**/api/assignments?**')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Assignments' }).hover()
  await read
  await put(page, `/api/assignment/${id}`, ada.token, fields(after, baseURL))
  await expect(page.getByRole('heading', { level: 1, name: after })).toBeVisible()
  await expect(page).toHaveTitle(`${after} | Assignment Details`)
  release()
  await (await arrived).finished()
  // Whatever the list does to the page has happened once the page has drawn twice.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(after)
})

test('cancelled changes do not come back over newer ones', async ({ page, api }) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const word = uniqueWord()
  const id = await api.submission(ben.token, await api.assignment(ada.token, { title: word }), 'First')
  const begun = listening(page)
  await login(page, ben)
  await goTo(page, 'My Attempted Assignments')
  await begun
  const change = row(page, word).getByRole('button', { name: 'Change' })
  await change.click()
  const dialog = page.getByRole('dialog', { name: 'Change Submission' })
  const note = dialog.getByRole('textbox', { name: 'Note' })
  await note.fill('Given up')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toHaveCount(0)
  const changed = page.waitForResponse((response) => response.url().includes('/api/submissions?submittedBy'))
  const docsLink = 'https://docs.google.com/document/d/2'
  await put(page, `/api/submissions/${id}/own`, ben.token, { docsLink, note: 'Elsewhere' })
  await (await changed).finished()
  await expect(async () => {
    await change.click()
    await expect(note).toHaveValue('Elsewhere', { timeout: 1_000 })
  }).toPass()
})

test('the focus goes to the page, also from one layout to the other', async ({ page, api }) => {
  const { email, password } = await api.user('Ada')
  await page.goto('/')
  await page.getByRole('banner').getByRole('link', { name: 'Login' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeFocused()
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page).toHaveTitle('home')
  await expect(page.getByRole('main')).toBeFocused()
  await goTo(page, 'Assignments')
  await expect(page.getByRole('heading', { level: 1, name: 'All Assignments' })).toBeFocused()
})

test('the auth pages too let the keyboard skip to their content', async ({ page }) => {
  await page.goto('/auth/login')
  await page.keyboard.press('Tab')
  const skip = page.getByRole('link', { name: 'Skip to content' })
  await expect(skip).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
})

test('a failed refresh is reported beside the shown data', async ({ page, api, consoleErrors }) => {
  consoleErrors.allow(/503/)
  const ada = await api.user('Ada')
  const word = uniqueWord()
  await api.assignment(ada.token, { title: word })
  const begun = listening(page)
  await page.goto(`/assignments?search=${word}`)
  await begun
  const away = {
    status: 503,
    headers: { 'Retry-After': '1' },
    json: { code: 'unavailable', detail: 'Away.' },
  }
  await page.route('**/api/assignments?**', (route) => route.fulfill(away))
  await api.assignment(ada.token, { title: `${word} two` })
  const notice = page.getByRole('status').filter({ hasText: 'This may be out of date.' })
  await expect(notice).toBeVisible()
  await expect(card(page, word)).toBeVisible()
  await page.unroute('**/api/assignments?**')
  await notice.getByRole('button', { name: 'Retry' }).click()
  await page.getByRole('button', { name: '1 new' }).click()
  await expect(card(page, `${word} two`)).toBeVisible()
  await expect(notice).toHaveCount(0)
})

test('a button that was pressed keeps the focus while it is busy', async ({ page, api }) => {
  await api.user('Ada')
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  let sent = 0
  await page.route('**/api/auth/password/forgot', async (route) => {
    sent++
    await held
    await route.fulfill({ status: 202 })
  })
  await page.goto('/auth/forgot')
  await page.getByRole('textbox', { name: 'Email' }).fill('ada@example.org')
  const send = page.getByRole('button', { name: 'Send the link' })
  await send.focus()
  await page.keyboard.press('Enter')
  const busy = page.getByRole('button', { name: 'Sending…' })
  await expect(busy).toBeDisabled()
  await expect(busy).toBeFocused()
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Email' }).press('Enter')
  release()
  // The form is gone; the focus is where its answer stands.
  await expect(page.getByText('an email with a link is on its way')).toBeFocused()
  expect(sent).toBe(1)
})
