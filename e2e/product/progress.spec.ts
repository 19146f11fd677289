import { signIn } from '../support/api'
import { answerBox, card, goTo, login, row, submitWork, uniqueWord } from '../support/product'
import { expect, test, type Page } from '../support/test'

/** Where one stands: badges, the select Show, results, reminders and the dashboard. */

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** Resolves when the page has begun to listen: later events reach it without a call. */
const listening = (page: Page) =>
  page.waitForResponse((response) => response.url().endsWith('/api/events') && response.ok())

async function watch(page: Page, user: Parameters<typeof signIn>[1], path: string): Promise<void> {
  const begun = listening(page)
  await signIn(page, user, path)
  await begun
}

test('three people: a badge turns, results come alive, dashboards follow', async ({ newPerson, api }) => {
  const [ada, ben, cleo] = [await api.user('Ada'), await api.user('Ben'), await api.user('Cleo')]
  const word = uniqueWord()
  const id = await api.assignment(ada.token, { title: word, level: 'hard' })
  const [creator, submitter, grader] = [await newPerson(), await newPerson(), await newPerson()]
  await watch(creator, ada, `/assignment/${id}`)
  await watch(submitter, ben, `/assignments?search=${word}`)
  await watch(grader, cleo, '/dashboard')
  const results = region(creator, 'Results')

  await test.step('before anything is handed in', async () => {
    await expect(results.getByText('There are no submissions yet.')).toBeVisible()
    await expect(creator.getByText('Yours', { exact: true })).toBeVisible()
    await expect(card(submitter, word).getByText('Handed in')).toHaveCount(0)
    await expect(
      region(grader, 'What you graded').getByRole('link', { name: 'Give your first mark' }),
    ).toBeVisible()
  })

  await api.submission(ben.token, id)
  await test.step('handed in', async () => {
    await expect(card(submitter, word).getByText('Handed in', { exact: true })).toBeVisible()
    await expect(results.getByRole('columnheader')).toHaveText([
      'Submitter',
      'Status',
      'Obtained Marks',
      'Feedback',
    ])
    await expect(row(creator, ben.email).getByRole('cell')).toContainText(['Ben', 'pending', '--', '--'])
    await expect(region(grader, 'Waiting for a grade').getByRole('link', { name: word })).toBeVisible()
  })

  const top = await row(creator, ben.email).boundingBox()
  await test.step('graded, from the dashboard', async () => {
    await region(grader, 'Waiting for a grade').getByRole('link', { name: word }).click()
    const dialog = grader.getByRole('dialog', { name: 'Mark Assignment' })
    await dialog.getByLabel('Marks').fill('18')
    await dialog.getByRole('textbox', { name: 'Feedback' }).fill('Well argued.')
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await answerBox(grader, 'Success', 'Assignment marked successfully!')
    await expect(card(submitter, word).getByText('18 of 20', { exact: true })).toBeVisible()
    await expect(row(creator, ben.email).getByRole('cell')).toContainText([
      'Ben',
      'completed',
      '18',
      'Well argued.',
    ])
    await expect(results.getByRole('status').filter({ hasText: 'Ben: 18 of 20 marks.' })).toBeAttached()
    // Visible rows stay in place.
    expect(await row(creator, ben.email).boundingBox()).toEqual(top)
  })

  await test.step('each dashboard says so', async () => {
    await goTo(grader, 'Dashboard')
    await expect(region(grader, 'What you graded').getByText('Marks given')).toBeVisible()
    await expect(region(grader, 'What you graded').locator('dd')).toHaveText(['1', '90%', '< 1 hour'])
    await goTo(submitter, 'Dashboard')
    await expect(submitter).toHaveTitle('Dashboard | StudyCircle')
    await expect(region(submitter, 'What you took').locator('dd')).toHaveText(['90%', '90%', '1', '0', '1'])
    const levels = submitter.getByRole('figure', { name: 'Marks by level' })
    await levels.getByRole('button', { name: 'Show as table' }).click()
    await expect(levels.getByRole('row').filter({ hasText: 'Hard' })).toContainText('190%')
    await goTo(creator, 'Dashboard')
    await expect(region(creator, 'What you created').locator('dd')).toHaveText(['1', '1', '0', '1', '90%'])
  })

  await test.step('and changes while it is open', async () => {
    const again = await api.submission(ben.token, id)
    await expect(region(submitter, 'What you took').locator('dd')).toHaveText(['90%', '90%', '2', '1', '1'])
    await api.grade(cleo.token, again, 20)
    await expect(region(submitter, 'What you took').locator('dd')).toHaveText(['95%', '100%', '2', '0', '2'])
    await expect(region(creator, 'What you created').locator('dd')).toHaveText(['1', '2', '0', '2', '95%'])
  })
})

test('Show filters the list by the user’s state, in the address, with level and search', async ({
  page,
  api,
}) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const word = uniqueWord()
  // Sooner than those of other tests, which share the list.
  const dueDate = new Date(Date.now() + 3_600_000).toISOString()
  const titled = (name: string, level?: string) =>
    api.assignment(ada.token, { title: `${word} ${name}`, dueDate, ...(level && { level }) })
  const [, waiting, graded] = [await titled('open'), await titled('waiting'), await titled('graded', 'hard')]
  await api.submission(ben.token, waiting)
  await api.grade(ada.token, await api.submission(ben.token, graded), 7)
  await api.assignment(ben.token, { title: `${word} mine`, dueDate })
  await signIn(page, ben, '/assignments')
  // By its letters the script is there, and the select answers.
  await expect(card(page, `${word} mine`).getByText('Yours', { exact: true })).toBeVisible()
  const show = page.getByRole('combobox', { name: 'Show' })
  await expect(show.getByRole('option')).toHaveText([
    'All',
    'Not taken',
    'Handed in',
    'Graded',
    'Mine',
    'Due soon',
  ])
  const ours = page.getByRole('article').filter({ hasText: word })
  for (const [option, state, titles] of [
    ['Not taken', 'open', ['open']],
    ['Handed in', 'pending', ['waiting']],
    ['Graded', 'graded', ['graded']],
    ['Mine', 'mine', ['mine']],
    ['Due soon', 'due-soon', ['open', 'waiting', 'graded', 'mine']],
  ] as const) {
    await show.selectOption(option)
    await expect(page).toHaveURL(new RegExp(`\\?state=${state}$`))
    await expect(ours).toHaveCount(titles.length)
    for (const title of titles) await expect(card(page, `${word} ${title}`)).toBeVisible()
  }
  await expect(card(page, `${word} graded`).getByText('7 of 20', { exact: true })).toBeVisible()
  await expect(card(page, `${word} mine`).getByText('Yours', { exact: true })).toBeVisible()

  await page.getByRole('combobox', { name: 'Level' }).selectOption('Hard')
  await expect(page).toHaveURL(/level=hard&state=due-soon$/)
  await expect(ours).toHaveCount(1)
  await page.reload()
  await expect(show).toHaveValue('due-soon')
  await expect(ours).toHaveCount(1)
  await page.goBack()
  await expect(ours).toHaveCount(4)

  // A search looks through all, and says so.
  await page.getByRole('searchbox').fill(word)
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(page).toHaveURL(`/assignments?search=${word}`)
  await expect(show).toBeDisabled()
  await expect(show).toHaveValue('')
  await expect(page.getByText('A search covers all assignments.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect(show).toBeEnabled()

  // Handing in removes it from the assignments not taken.
  await show.selectOption('Not taken')
  await card(page, `${word} open`).getByRole('link', { name: 'Details' }).click()
  await submitWork(page, 'https://docs.google.com/document/d/1')
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(show).toHaveValue('open')
  await expect(ours).toHaveCount(0)
})

test('an empty list explains its filter, with a first step', async ({ page, api }) => {
  const ben = await api.user('Ben')
  await signIn(page, ben, '/assignments?state=graded')
  await expect(page.getByText('No assignments available.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Take one' })).toHaveAttribute(
    'href',
    '/assignments?state=open',
  )
  await page.goto('/assignments?state=nonsense')
  await expect(page.getByRole('combobox', { name: 'Show' })).toHaveValue('')
})

test('a visitor who filters by state signs in, and comes back', async ({ page, api }) => {
  const ada = await api.user('Ada')
  await api.assignment(ada.token, { title: uniqueWord() })
  // Of this page the script draws all, so that the select answers as soon as it is there.
  await page.goto('/assignments?state=mine')
  const show = page.getByRole('combobox', { name: 'Show' })
  await expect(page.getByText('Sign in to use this filter.')).toBeVisible()
  await show.selectOption('Due soon')
  await expect(page.getByRole('article').first()).toBeVisible()
  await show.selectOption('Graded')
  await expect(page.getByText('Sign in to use this filter.')).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/auth\/login$/)
  await login(page, ada)
  await expect(page).toHaveURL(/\/assignments\?state=graded$/)
})

test('the user’s mark is beside Take Assignment, and the assignment can be taken again', async ({
  page,
  api,
}) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const word = uniqueWord()
  const id = await api.assignment(ada.token, { title: word })
  await api.grade(ada.token, await api.submission(ben.token, id), 18)
  await signIn(page, ben, `/assignment/${id}`)
  await expect(page.getByText('You got 18 of 20')).toBeVisible()
  await expect(page.getByRole('link', { name: 'See the feedback' })).toHaveAttribute(
    'href',
    '/attemded-assignments',
  )
  await submitWork(page, 'https://docs.google.com/document/d/2')
  await expect(page.getByText('Handed in')).toBeVisible()
  await expect(page.getByText('You got 18 of 20')).toHaveCount(0)
})

test('a reminder, switched by keyboard, is on the dashboard; switched off there, it can be taken back', async ({
  page,
  api,
}) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const word = uniqueWord()
  const id = await api.assignment(ada.token, { title: word })
  await signIn(page, ada, `/assignment/${id}`)
  await expect(page.getByText('This is your assignment.')).toBeVisible()
  await expect(page.getByRole('switch', { name: 'Remind me' })).toHaveCount(0)

  await signIn(page, ben, `/assignment/${id}`)
  const remind = page.getByRole('switch', { name: 'Remind me' })
  await expect(remind).not.toHaveAttribute('aria-disabled')
  await expect(remind).not.toBeChecked()
  await remind.focus()
  await page.keyboard.press('Space')
  await expect(remind).toBeChecked()
  await goTo(page, 'Dashboard')
  const due = region(page, 'Due soon')
  await expect(due.getByRole('link', { name: word })).toHaveAttribute('href', `/assignment/${id}`)
  const there = due.getByRole('switch', { name: 'Remind me' })
  await expect(there).toBeChecked()
  let answered = 0
  page.on('response', (response) => (answered += response.url().endsWith('/reminder') ? 1 : 0))
  await there.focus()
  await page.keyboard.press('Enter')
  await expect(there).not.toBeChecked()
  await expect(there).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(there).toBeChecked()
  await expect.poll(() => answered).toBe(2)
  await page.reload()
  await expect(there).toBeChecked()
})

test('many results have numbered pages, and new ones wait for a press', async ({ page, api }) => {
  const ada = await api.user('Ada')
  const word = uniqueWord()
  const id = await api.assignment(ada.token, { title: word })
  const people = await Promise.all(Array.from({ length: 13 }, (_, n) => api.user(`Ben ${n}`)))
  for (const { token } of people.slice(0, 12)) await api.submission(token, id)
  await watch(page, ada, `/assignment/${id}`)
  const results = region(page, 'Results')
  const rows = results.getByRole('row').filter({ hasText: 'pending' })
  await expect(rows).toHaveCount(10)
  const first = await rows.first().textContent()
  await api.submission(people[12]?.token ?? '', id)
  const waiting = results.getByRole('button', { name: '1 new' })
  await expect(waiting).toBeVisible()
  expect(await rows.first().textContent()).toBe(first)
  await waiting.click()
  await expect(rows.first()).toContainText('Ben 12')
  await results.getByRole('link', { name: 'Next' }).click()
  await expect(rows).toHaveCount(3)
  await expect(results.getByRole('heading', { name: 'Results' })).toBeFocused()
})
