import { signIn } from '../support/api'
import { answerBox, card, goTo, row, uniqueWord } from '../support/product'
import { expect, test, type Page } from '../support/test'

/** Resolves when the page has begun to listen: later events reach it without a call. */
const listening = (page: Page) =>
  page.waitForResponse((response) => response.url().endsWith('/api/events') && response.ok())

/** Assignments that other users create wait for a press. */
const showNew = (page: Page) => page.getByRole('button', { name: /^\d+ new$/ }).click()

test('the list changes while others publish, change and delete', async ({ page, api, consoleErrors }) => {
  // A card that appears under the pointer prefetches its page, which may be deleted by then.
  consoleErrors.allow(/404 \(Not Found\) \S+\/api\/assignment\//)
  const ada = await api.user('Ada')
  // An empty list would show a new row at once.
  await api.assignment(ada.token, { title: uniqueWord() })
  const begun = listening(page)
  await page.goto('/assignments')
  await begun
  const word = uniqueWord()
  const id = await api.assignment(ada.token, { title: word })
  await showNew(page)
  await expect(card(page, word)).toBeVisible()
  await api.remove(ada.token, id)
  await expect(card(page, word)).toHaveCount(0)
})

test('a deleted assignment goes, even where new ones have pushed it off the page', async ({ page, api }) => {
  const ada = await api.user('Ada')
  const word = uniqueWord()
  const id = await api.assignment(ada.token, { title: word })
  const begun = listening(page)
  await page.goto('/assignments')
  await begun
  await expect(card(page, word)).toBeVisible()
  for (let i = 0; i < 10; i++) await api.assignment(ada.token, { title: uniqueWord() })
  await expect(page.getByRole('button', { name: '10 new' })).toBeVisible()
  await expect(card(page, word)).toBeVisible()
  await api.remove(ada.token, id)
  await expect(card(page, word)).toHaveCount(0)
})

test('a change between the page and its event stream is not missed', async ({ page, api }) => {
  const ada = await api.user('Ada')
  await api.assignment(ada.token, { title: uniqueWord() })
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/events', async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/assignments')
  const word = uniqueWord()
  await api.assignment(ada.token, { title: word })
  release()
  await showNew(page)
  await expect(card(page, word)).toBeVisible()
})

test('pending submissions come and go, and focus stays in the table', async ({ page, api }) => {
  const [ada, ben, cleo] = [await api.user('Ada'), await api.user('Ben'), await api.user('Cleo')]
  const [first, second] = [uniqueWord(), uniqueWord()]
  const assignments = [
    await api.assignment(ada.token, { title: first }),
    await api.assignment(ada.token, { title: second }),
  ] as const
  const begun = listening(page)
  await signIn(page, ada, '/pending-assignments')
  await begun
  const submission = await api.submission(ben.token, assignments[0])
  await expect(row(page, first)).toBeVisible()
  await row(page, first).getByRole('button', { name: 'Give Mark' }).focus()
  const other = await api.submission(ben.token, assignments[1])
  await expect(row(page, second)).toBeVisible()
  await expect(row(page, first).getByRole('button', { name: 'Give Mark' })).toBeFocused()
  await api.grade(cleo.token, submission, 11)
  await expect(row(page, first)).toHaveCount(0)
  await expect(row(page, second).getByRole('button', { name: 'Give Mark' })).toBeFocused()

  // An open dialog stays, and reports the change.
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Mark Assignment' })
  await dialog.getByRole('textbox', { name: 'Feedback' }).fill('Well begun')
  await api.grade(cleo.token, other, 12)
  await expect(dialog.getByRole('status')).toContainText('Someone else has marked this submission.')
  await expect(dialog.getByRole('textbox', { name: 'Feedback' })).toHaveValue('Well begun')
  await expect(row(page, second)).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.locator('body')).not.toBeFocused()
})

test('a mark arrives in my submitted assignments, in every tab', async ({ page, context, api }) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const word = uniqueWord()
  const submission = await api.submission(ben.token, await api.assignment(ada.token, { title: word }))
  let streams = 0
  context.on('response', (response) => {
    if (response.url().endsWith('/api/events')) streams++
  })
  await signIn(page, ben, '/attemded-assignments')
  await expect(row(page, word)).toContainText('pending')
  await expect.poll(() => streams).toBeGreaterThan(0)
  const before = streams
  const second = await context.newPage()
  await second.goto('/attemded-assignments')
  await expect(row(second, word)).toContainText('pending')
  await second.waitForFunction(async () => (await navigator.locks.query()).pending?.length === 1)
  await api.grade(ada.token, submission, 17, 'Fine.')
  for (const tab of [page, second]) {
    await expect(row(tab, word).getByRole('cell')).toContainText([word, 'completed', '20', '17', 'Fine.'])
    await expect(tab.getByRole('status').filter({ hasText: `${word}: 17 of 20 marks.` })).toBeAttached()
  }
  expect(streams).toBe(before)

  // The tab that reads goes; the other one goes on from the same place.
  const taken = listening(second)
  await page.close()
  await taken
  const next = uniqueWord()
  await api.submission(ben.token, await api.assignment(ada.token, { title: next }))
  await expect(row(second, next)).toBeVisible()
})

test('without a connection the page polls, and reconnects later', async ({ page, api, consoleErrors }) => {
  consoleErrors.allow(/ERR_FAILED/)
  const ada = await api.user('Ada')
  await page.clock.install()
  await page.route('**/api/events', (route) => route.abort())
  const refused = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/events'))
  await page.goto('/assignments')
  await refused
  const [first, second] = [uniqueWord(), uniqueWord()]
  await api.assignment(ada.token, { title: first })
  await page.clock.fastForward(31_000)
  await showNew(page)
  await expect(card(page, first)).toBeVisible()
  await page.unroute('**/api/events')
  const begun = listening(page)
  await page.clock.fastForward(31_000)
  await begun
  await api.assignment(ada.token, { title: second })
  await showNew(page)
  await expect(card(page, second)).toBeVisible()
})

test('pages without server data keep no connection', async ({ page, api }) => {
  const ada = await api.user('Ada')
  let streams = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/api/events')) streams++
  })
  // An empty list would show a new row at once.
  await api.assignment(ada.token, { title: uniqueWord() })
  // A visitor, as a user's bell listens on every page.
  await page.goto('/')
  await page.waitForLoadState('networkidle')
  expect(streams).toBe(0)
  const begun = listening(page)
  await goTo(page, 'Assignments')
  await begun
  const word = uniqueWord()
  await api.assignment(ada.token, { title: word })
  await showNew(page)
  await expect(card(page, word)).toBeVisible()
  await goTo(page, 'Home')
  await goTo(page, 'Assignments')
  // The existing stream brings the event.
  const next = uniqueWord()
  await api.assignment(ada.token, { title: next })
  await showNew(page)
  await expect(card(page, next)).toBeVisible()
  expect(streams).toBe(1)
})

test('signing out ends the user’s event stream', async ({ page, api }) => {
  const ada = await api.user('Ada')
  const begun = listening(page)
  await signIn(page, ada, '/pending-assignments')
  await begun
  const again = page.waitForRequest(
    (request) => request.url().endsWith('/api/events') && !request.headers()['authorization'],
  )
  await page.getByRole('button', { name: 'Logout' }).click()
  await again
})

test.describe('my pending submissions', () => {
  test('can be changed', async ({ page, api }) => {
    const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
    const word = uniqueWord()
    await api.submission(ben.token, await api.assignment(ada.token, { title: word }), 'First thoughts')
    await signIn(page, ben, '/attemded-assignments')
    const change = row(page, word).getByRole('button', { name: 'Change' })
    await change.click()
    const dialog = page.getByRole('dialog', { name: 'Change Submission' })
    await expect(dialog.getByRole('textbox', { name: 'Note' })).toHaveValue('First thoughts')
    await dialog
      .getByRole('textbox', { name: 'Google Docs Link' })
      .fill('https://docs.google.com/document/d/2')
    await dialog.getByRole('textbox', { name: 'Note' }).fill('Second thoughts')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('status').filter({ hasText: 'Submission changed' })).toBeVisible()
    await expect(dialog).toHaveCount(0)
    await expect(change).toBeFocused()
    await change.click()
    await expect(dialog.getByRole('textbox', { name: 'Note' })).toHaveValue('Second thoughts')
  })

  test('can be withdrawn', async ({ page, api }) => {
    const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
    const word = uniqueWord()
    await api.submission(ben.token, await api.assignment(ada.token, { title: word }))
    await signIn(page, ben, '/attemded-assignments')
    const withdraw = row(page, word).getByRole('button', { name: 'Withdraw' })
    await withdraw.click()
    await answerBox(page, 'Are you sure?', null, 'Cancel')
    await expect(row(page, word)).toBeVisible()
    await withdraw.click()
    await answerBox(page, 'Are you sure?', null, 'Yes, withdraw it')
    await expect(page.getByText('No submitted assignments found.')).toBeVisible()
    await expect(page.getByRole('status').filter({ hasText: 'Submission withdrawn' })).toBeVisible()
  })

  test('cannot be changed once they are marked', async ({ page, api, consoleErrors }) => {
    consoleErrors.allow(/409/)
    const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
    const word = uniqueWord()
    const id = await api.submission(ben.token, await api.assignment(ada.token, { title: word }))
    await signIn(page, ben, '/attemded-assignments')
    await row(page, word).getByRole('button', { name: 'Change' }).click()
    await api.grade(ada.token, id, 9)
    const dialog = page.getByRole('dialog', { name: 'Change Submission' })
    await dialog.getByRole('textbox', { name: 'Note' }).fill('Too late')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await answerBox(page, 'Error', 'Your submission was not changed.')
    await expect(dialog.getByRole('textbox', { name: 'Note' })).toHaveValue('Too late')
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect(row(page, word)).toContainText('completed')
    await expect(row(page, word).getByRole('button', { name: 'Change' })).toHaveCount(0)
  })
})
