import { signIn } from '../support/api'
import { expect, test, type Page } from '../support/test'

/** Resolves when the page's event stream is open. */
const listening = (page: Page) =>
  page.waitForResponse((response) => response.url().endsWith('/api/events') && response.ok())

const discussion = (page: Page) => page.getByRole('region', { name: 'Discussion' })
const said = (page: Page, text: string) => discussion(page).getByRole('article').filter({ hasText: text })
const box = (page: Page, name = 'Write a comment') => discussion(page).getByRole('textbox', { name })

test('three people talk, each in a browser of their own, and see each other live', async ({
  page,
  newPerson,
  api,
}) => {
  const [ada, bob, eve] = [await api.user('Ada'), await api.user('Bob'), await api.user('Eve')]
  const id = await api.assignment(ada.token, { title: 'Tides' })
  const path = `/assignment/${id}`
  const [bobs, eves] = [await newPerson(), await newPerson()]
  const begun = [listening(page), listening(bobs), listening(eves)]
  await signIn(page, ada, path)
  await signIn(bobs, bob, path)
  await signIn(eves, eve, path)
  await Promise.all(begun)
  await expect(discussion(bobs)).toContainText('No comments yet.')

  // Ctrl+Enter sends; the new comment gets the focus and is announced.
  await box(bobs).fill('Why **twice** a day?')
  await box(bobs).press('Control+Enter')
  const bobsOwn = said(bobs, 'Why twice a day?')
  await expect(bobsOwn).toBeFocused()
  await expect(bobsOwn.locator('strong')).toHaveText('twice')
  await expect(bobsOwn.locator('img')).toHaveAttribute('src', /favicon\.svg$/)
  await expect(discussion(bobs).getByRole('status').filter({ hasText: 'posted' })).toHaveText(
    'Your comment is posted.',
  )
  await expect(box(bobs)).toHaveValue('')

  // Other users are notified, and comments on their page stay in place until they press the button.
  for (const other of [page, eves]) {
    await discussion(other).getByRole('button', { name: '1 new comment' }).click()
    await expect(said(other, 'Why twice a day?')).toContainText('Bob')
  }

  // A reply that mentions a user, chosen by keyboard.
  await said(eves, 'Why twice a day?').getByRole('button', { name: 'Reply' }).click()
  const reply = box(eves, 'Write a reply')
  await expect(reply).toBeFocused()
  await reply.pressSequentially('Ask @ad')
  await expect(eves.getByRole('option', { name: ada.name })).toHaveAttribute('aria-selected', 'true')
  await reply.press('Enter')
  await expect(reply).toHaveValue(`Ask @${ada.name} `)
  await expect(eves.getByRole('listbox')).toHaveCount(0)
  await reply.pressSequentially('please')
  await discussion(eves).getByRole('button', { name: 'Send reply' }).click()
  const answer = said(eves, 'please')
  await expect(answer).toBeFocused()
  await expect(answer.locator('.mention')).toHaveText(`@${ada.name}`)

  await discussion(page).getByRole('button', { name: '1 new comment' }).click()
  await expect(said(page, 'please').locator('.mention')).toHaveText(`@${ada.name}`)

  // A reaction shows everywhere, and nothing has to be pressed for it.
  await said(page, 'Why twice a day?').first().getByRole('button', { name: 'Insightful' }).first().click()
  for (const somebody of [bobs, eves]) {
    await discussion(somebody)
      .getByRole('button', { name: '1 new comment' })
      .click({ trial: true, timeout: 1 })
      .catch(() => undefined)
    await expect(
      said(somebody, 'Why twice a day?').getByRole('button', { name: 'Insightful 1' }),
    ).toBeVisible()
  }

  // The creator may delete other users' comments; their replies stay.
  await said(page, 'Why twice a day?').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(said(page, 'This comment was deleted.')).toBeVisible()
  await expect(said(eves, 'This comment was deleted.')).toBeVisible()
  await expect(said(eves, 'please')).toBeVisible()

  await discussion(page).getByRole('button', { name: 'Close discussion' }).click()
  await expect(discussion(eves)).toContainText('This discussion is closed.')
  await expect(box(eves)).toHaveCount(0)
  await discussion(page).getByRole('button', { name: 'Open discussion' }).click()
  await expect(box(eves)).toBeVisible()
})

test('a comment is kept as a draft, previewed by the server, edited and deleted', async ({
  page,
  api,
  consoleErrors,
}) => {
  consoleErrors.allow(/ERR_FAILED/)
  const ada = await api.user('Ada')
  const path = `/assignment/${await api.assignment(ada.token, { title: 'Tides' })}`
  const begun = listening(page)
  await signIn(page, ada, path)
  await begun
  await box(page).fill('Some *thoughts*')
  await page.reload()
  await expect(box(page)).toHaveValue('Some *thoughts*')
  await page.getByRole('tab', { name: 'Preview' }).click()
  await expect(page.getByRole('tabpanel', { name: 'Preview' }).locator('em')).toHaveText('thoughts')
  await page.getByRole('tab', { name: 'Preview' }).press('ArrowLeft')
  await expect(page.getByRole('tab', { name: 'Write' })).toBeFocused()

  await page.route('**/api/assignment/*/comments', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.fallback(),
  )
  await discussion(page).getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(discussion(page)).toContainText('The server cannot be reached.')
  await expect(box(page)).toHaveValue('Some *thoughts*')
  await page.unroute('**/api/assignment/*/comments')
  await discussion(page).getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(said(page, 'Some thoughts')).toBeFocused()

  await said(page, 'Some thoughts').getByRole('button', { name: 'Edit' }).click()
  const edit = box(page, 'Edit comment')
  await expect(edit).toBeFocused()
  await edit.fill('Better thoughts')
  await discussion(page).getByRole('button', { name: 'Save' }).click()
  await expect(said(page, 'Better thoughts')).toContainText('edited')
  await expect(said(page, 'Better thoughts')).toBeFocused()

  await said(page, 'Better thoughts').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(said(page, 'Better thoughts')).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Discussion' })).toBeFocused()

  await discussion(page).getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(discussion(page)).toContainText('Write something first.')
  await expect(box(page)).toBeFocused()
})

/** Holds the page's next request of a method to a comment until the returned function is called. */
async function holdSending(page: Page, method: 'POST' | 'PATCH'): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/api/**/comment*{,/**}', async (route) => {
    if (route.request().method() === method) await released
    await route.fallback()
  })
  return release
}

test('text typed while a comment is being sent stays in the box, and is its draft', async ({ page, api }) => {
  const ada = await api.user('Ada')
  const path = `/assignment/${await api.assignment(ada.token, { title: 'Tides' })}`
  await signIn(page, ada, path)
  const release = await holdSending(page, 'POST')
  await box(page).fill('The first thought')
  await box(page).press('Control+Enter')
  await box(page).pressSequentially(' and a second')
  release()
  await expect(said(page, 'The first thought')).toBeVisible()
  await expect(box(page)).toHaveValue('and a second')
  await expect(box(page)).toBeFocused()
  await page.reload()
  await expect(box(page)).toHaveValue('and a second')
  await box(page).press('Control+Enter')
  await expect(said(page, 'and a second')).toBeFocused()
  await expect(box(page)).toHaveValue('')
})

test('text typed while a reply or a change is being sent keeps its box open', async ({ page, api }) => {
  const ada = await api.user('Ada')
  const id = await api.assignment(ada.token, { title: 'Tides' })
  await api.comment(ada.token, id, 'Why?')
  await signIn(page, ada, `/assignment/${id}`)
  let release = await holdSending(page, 'POST')
  await said(page, 'Why?').getByRole('button', { name: 'Reply' }).click()
  const reply = box(page, 'Write a reply')
  await reply.fill('The moon.')
  await reply.press('Control+Enter')
  await reply.pressSequentially(' And the sun.')
  release()
  await expect(said(page, 'The moon.')).toBeVisible()
  await expect(reply).toHaveValue('And the sun.')
  await discussion(page).getByRole('button', { name: 'Send reply' }).click()
  await expect(said(page, 'And the sun.')).toBeFocused()
  await expect(reply).toHaveCount(0)

  release = await holdSending(page, 'PATCH')
  await said(page, 'And the sun.').getByRole('button', { name: 'Edit' }).click()
  const edit = box(page, 'Edit comment')
  await edit.fill('And the stars')
  await edit.press('Control+Enter')
  await edit.pressSequentially(', surely')
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
  release()
  await saved
  await expect(discussion(page).getByRole('button', { name: 'Save' })).toBeEnabled()
  await expect(edit).toHaveValue('And the stars, surely')
  await discussion(page).getByRole('button', { name: 'Save' }).click()
  await expect(said(page, 'And the stars, surely')).toBeFocused()
})

test('a link leads to the comment, whichever page it stands on', async ({
  page,
  api,
  newPerson,
  consoleErrors,
}) => {
  consoleErrors.allow(/404.*comment\/nothing/)
  const ada = await api.user('Ada')
  const id = await api.assignment(ada.token, { title: 'Tides' })
  let last = ''
  for (let i = 1; i <= 22; i++) last = await api.comment(ada.token, id, `Thread ${i}`)
  let answer = ''
  for (let i = 1; i <= 5; i++) answer = await api.comment(ada.token, id, `Answer ${i}`, last)

  // The first page comes with the first HTML, and is not fetched again.
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto(`/assignment/${id}`)
  await expect(said(page, 'Thread 20')).toBeVisible()
  await expect(said(page, 'Thread 21')).toHaveCount(0)
  expect(await (await page.request.get(`/assignment/${id}`)).text()).toContain('Thread 20')
  expect(asked.filter((path) => path.includes('comment'))).toEqual([])
  await expect(discussion(page).getByRole('link', { name: 'Sign in' })).toBeVisible()

  await discussion(page)
    .getByRole('navigation', { name: 'Comment pages' })
    .getByRole('link', { name: 'Next' })
    .click()
  await expect(said(page, 'Thread 22').first()).toBeVisible()
  await expect(page).toHaveURL(/\?comments=2$/)
  await expect(said(page, 'Answer 3')).toBeVisible()
  await expect(said(page, 'Answer 4')).toHaveCount(0)
  await discussion(page).getByRole('button', { name: 'Show more replies' }).click()
  await expect(said(page, 'Answer 5')).toBeVisible()

  const other = await newPerson()
  await other.goto(`/assignment/${id}#comment-${answer}`)
  await expect(said(other, 'Answer 5')).toBeFocused()
  await expect(said(other, 'Answer 5')).toBeInViewport()
  await expect(other).toHaveURL(new RegExp(`comments=2#comment-${answer}$`))

  await other.goto(`/assignment/${id}#comment-nothing`)
  await expect(other.getByText('This comment was deleted.')).toBeVisible()
})

test('code is coloured when it comes into view', async ({ page, api }) => {
  const ada = await api.user('Ada')
  const id = await api.assignment(ada.token, { title: 'Tides' })
  await api.comment(ada.token, id, '```go\nfunc main() { return 1 }\n```\n\n```nothing\nfunc\n```')
  await page.goto(`/assignment/${id}`)
  await discussion(page).locator('pre').first().scrollIntoViewIfNeeded()
  await expect(discussion(page).locator('.hljs-keyword').first()).toHaveText('func')
  await expect(discussion(page).locator('code.language-nothing')).toHaveText('func\n')
  await expect(discussion(page).locator('code.language-nothing span')).toHaveCount(0)
})
