import { holdScripts } from '../support/hydration'
import { card, uniqueWord } from '../support/product'
import { expect, test } from '../support/test'

test('the list: heading, card and filters', async ({ page, api }) => {
  const { token } = await api.user('Ada')
  const word = uniqueWord()
  const id = await api.assignment(token, { title: `${word} in short`, level: 'hard', marks: 35 })
  await page.goto(`/assignments?search=${word}`)
  await expect(page).toHaveTitle('Assignments')
  await expect(page.getByRole('heading', { level: 1, name: 'All Assignments' })).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Level' }).getByRole('option')).toHaveText([
    'All Levels',
    'Easy',
    'Medium',
    'Hard',
  ])
  const found = card(page, `${word} in short`)
  await expect(found.getByRole('heading', { level: 2 })).toHaveText(`${word} in short`)
  await expect(found).toContainText('35 marks')
  await expect(found).toContainText('Hard')
  await expect(found.getByRole('link', { name: 'Details' })).toHaveAttribute('href', `/assignment/${id}`)
})

test('pages, level and search live in the address', async ({ page, api }) => {
  const { token } = await api.user('Ada')
  const word = uniqueWord()
  for (let i = 0; i < 12; i++) {
    await api.assignment(token, { title: `${word} ${i}`, level: i < 11 ? 'medium' : 'easy' })
  }
  await page.goto('/assignments')
  await page.getByRole('searchbox', { name: 'Search assignments' }).fill(word)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`search=${word}`))
  await expect(page.getByRole('article')).toHaveCount(10)
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await expect(pages.getByRole('link')).toHaveText(['Prev', '1', '2', 'Next'])
  await expect(pages.getByRole('link', { name: 'Prev' })).toBeDisabled()
  await pages.getByRole('link', { name: 'Next' }).click()
  await expect(page.getByRole('article')).toHaveCount(2)
  await expect(pages.getByRole('link', { name: 'Next' })).toBeDisabled()
  await expect(pages.getByRole('link', { name: '2' })).toHaveAttribute('aria-current', 'page')
  await expect(page).toHaveURL(/page=2/)
  await page.reload()
  await expect(page.getByRole('article')).toHaveCount(2)
  // Another level starts at its first page again.
  await page.getByRole('combobox', { name: 'Level' }).selectOption('Medium')
  await expect(page).toHaveURL(/level=medium/)
  await expect(page).not.toHaveURL(/page=/)
  await expect(page.getByRole('article')).toHaveCount(10)
  await page.goBack()
  await expect(page).toHaveURL(/page=2/)
  await expect(page.getByRole('combobox', { name: 'Level' })).toHaveValue('')
  await expect(page.getByRole('article')).toHaveCount(2)
})

test('the order is chosen, and lives in the address', async ({ page, api }) => {
  const ada = await api.user('Ada')
  const word = uniqueWord()
  for (const at of ['first', 'second']) await api.assignment(ada.token, { title: `${word} ${at}` })
  await page.goto('/assignments')
  const sort = page.getByRole('combobox', { name: 'Sort' })
  await expect(sort).toHaveValue('')
  await sort.selectOption('Oldest first')
  await expect(page).toHaveURL('/assignments?sort=oldest')
  const titles = page.getByRole('article').getByRole('heading')
  const oldest = await titles.first().textContent()
  await page.reload()
  await expect(titles.first()).toHaveText(oldest ?? '')
  await expect(sort).toHaveValue('oldest')
  await sort.selectOption('Due in 14 days')
  await expect(page).toHaveURL('/assignments?state=due-soon')
  await expect(page.getByRole('combobox', { name: 'Show' })).toHaveValue('due-soon')
  await page.goto(`/assignments?search=${word}`)
  await expect(sort).toBeDisabled()
})

test('on a phone cards are compact', async ({ page, api }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await api.assignment((await api.user('Ada')).token, { title: 'Compact' })
  await page.goto('/assignments')
  const first = page.getByRole('article').first()
  await expect.poll(async () => (await first.boundingBox())?.height).toBeLessThan(240)
})

test('a page of the list is prefetched before the click', async ({ page, api }) => {
  const { token } = await api.user('Ada')
  const word = uniqueWord()
  for (let i = 0; i < 11; i++) await api.assignment(token, { title: `${word} ${i}` })
  await page.goto(`/assignments?search=${word}`)
  const next = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Next' })
  const fetched = page.waitForResponse(
    (response) => response.url().includes('/api/assignments?') && response.url().includes('page=2'),
  )
  await next.hover()
  expect((await fetched).ok()).toBe(true)
  await next.click()
  await expect(page.getByRole('article')).toHaveCount(1)
})

test('a level applies with the search box’s text, and Enter there keeps the focus', async ({ page, api }) => {
  const { token } = await api.user('Ada')
  const word = uniqueWord()
  await api.assignment(token, { title: `${word} hard`, level: 'hard' })
  await api.assignment(token, { title: `${word} easy` })
  await page.goto('/assignments')
  const box = page.getByRole('searchbox', { name: 'Search assignments' })
  await box.fill(word)
  await page.getByRole('combobox', { name: 'Level' }).selectOption('Hard')
  await expect(page).toHaveURL(new RegExp(`search=${word}&level=hard`))
  await expect(page.getByRole('article')).toHaveText([/hard/])
  await box.fill(`${word} ha`)
  await box.press('Enter')
  await expect(page).toHaveURL(/ha&level/)
  await expect(box).toBeFocused()
  await page.goBack()
  await expect(box).toHaveValue(word)
})

test.describe('where clocks are behind', () => {
  test.use({ timezoneId: 'America/Los_Angeles' })

  test('a deadline that is earlier by the reader’s clock says so', async ({ page, api }) => {
    const { token } = await api.user('Ada')
    const word = uniqueWord()
    const day = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10)
    await api.assignment(token, { title: word, dueDate: `${day}T23:59:59+05:45` })
    await page.goto(`/assignments?search=${word}`)
    const due = card(page, word).getByText(day.replaceAll('-', '/'))
    await expect(due).toHaveAttribute('title', /for you\)$/)
    await expect(due).toHaveAttribute('title', new RegExp(`${day.replaceAll('-', '/')}.* 1[01]:14 `))
  })
})

test('an empty list says so', async ({ page }) => {
  await page.goto(`/assignments?search=${uniqueWord()}`)
  await expect(page.getByText('No assignments available.')).toBeVisible()
})

test('the first page shows without a call; details call for their text and the discussion, and back for nothing', async ({
  page,
  api,
}) => {
  const { token } = await api.user('Ada')
  const word = uniqueWord()
  for (let i = 0; i < 8; i++) await api.assignment(token, { title: `${word} ${i}` })
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/assignment')) calls.push(pathname)
  })
  // Other tests' changes would cause calls.
  await page.route('**/api/events', () => new Promise(() => undefined))
  await page.goto(`/assignments?search=${word}`)
  await expect(page.getByRole('article')).toHaveCount(8)
  await card(page, `${word} 0`).scrollIntoViewIfNeeded()
  const scrolled = await page.evaluate(() => window.scrollY)
  expect(scrolled).toBeGreaterThan(0)
  await card(page, `${word} 0`).getByRole('link', { name: 'Details' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `${word} 0` })).toBeVisible()
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page.getByRole('article')).toHaveCount(8)
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(scrolled)
  // A list has no rendered descriptions.
  expect(calls.toSorted((a, b) => a.length - b.length)).toEqual([
    expect.stringMatching(/^\/api\/assignment\/\w+$/),
    expect.stringMatching(/\/comments$/),
  ])
  await card(page, `${word} 0`).getByRole('link', { name: 'Details' }).click()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: `${word} 0` })).toBeVisible()
  expect(calls).toHaveLength(2)
})

test('the page reports being offline, and recovers by itself', async ({
  page,
  context,
  api,
  consoleErrors,
}) => {
  consoleErrors.allow(/ERR_INTERNET_DISCONNECTED/)
  const { token } = await api.user('Ada')
  const word = uniqueWord()
  for (let i = 0; i < 11; i++) await api.assignment(token, { title: `${word} ${i}` })
  await page.goto(`/assignments?search=${word}`)
  const next = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Next' })
  await expect(next).toBeEnabled()
  await context.setOffline(true)
  await expect(page.getByText('You are offline.')).toBeVisible()
  await next.click()
  await expect(page).toHaveURL(/page=2/)
  await expect(page.getByRole('article')).toHaveCount(0)
  // From here on the page changes without a press.
  await context.setOffline(false)
  await expect(page.getByText('You are offline.')).toHaveCount(0)
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(card(page, `${word} 0`)).toBeVisible()
})

test('the list as rows: the device remembers it, and all roles and names stay', async ({ page, api }) => {
  const user = await api.user('Ada')
  const word = uniqueWord()
  for (let i = 0; i < 4; i++) await api.assignment(user.token, { title: `${word} ${i}` })
  const heights = () =>
    page
      .getByRole('article')
      .evaluateAll((rows) => rows.map((row) => Math.round(row.getBoundingClientRect().height)))
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.context().addCookies(user.cookies)
  await page.goto(`/assignments?search=${word}`)
  await page.getByRole('switch', { name: 'Compact list' }).click()
  await expect.poll(heights).toEqual([49, 49, 49, 49])
  const row = card(page, `${word} 1`)
  await expect(row.getByRole('heading', { level: 2, name: `${word} 1` })).toBeVisible()
  for (const name of ['Details', 'Update']) await expect(row.getByRole('link', { name })).toBeVisible()
  await expect(row.getByRole('button', { name: 'Delete' })).toBeVisible()
  for (const text of ['20 marks', 'Easy', 'Yours']) await expect(row).toContainText(text)
  expect(await page.evaluate(() => localStorage.getItem('list'))).toBe('compact')

  await page.evaluate(() => sessionStorage.clear())
  const release = await holdScripts(page)
  await page.goto(`/assignments?search=${word}`, { waitUntil: 'commit' })
  await expect(page.getByRole('article')).toHaveCount(4)
  await expect.poll(heights).toEqual([49, 49, 49, 49])
  release()
  const compact = page.getByRole('switch', { name: 'Compact list' })
  await expect(compact).toBeChecked()
  await expect(compact).toBeEnabled()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(async () => Math.max(...(await heights()))).toBeLessThan(120)
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await compact.click()
  await page.reload()
  await expect(compact).not.toBeChecked()
  await expect.poll(async () => Math.min(...(await heights()))).toBeGreaterThan(150)
})
