import { signIn, type Api, type User } from '../support/api'
import { uniqueWord } from '../support/product'
import { expect, test, type Page } from '../support/test'

/** From one page to another of the same kind, without a page of another kind between them. */

const box = (page: Page) =>
  page.getByRole('region', { name: 'Discussion' }).getByRole('textbox', { name: 'Write a comment' })
const results = (page: Page) => page.getByRole('region', { name: 'Results' })
const submitDialog = (page: Page) => page.getByRole('dialog', { name: 'Submit Assignment' })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

/**
 * Opens the notification about `title` from the bell, as a reader does whose pointer rests on it until the next page's
 * data has come: the next page is drawn at once, in place of the last.
 */
async function openFromBell(page: Page, title: string, path: string): Promise<void> {
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Notifications/ })
    .click()
  const link = page
    .getByRole('region', { name: 'Notifications' })
    .getByRole('link', { name: new RegExp(`Unread: .*${title}`) })
  const prefetched = page.waitForResponse((response) => new URL(response.url()).pathname === path)
  await link.hover()
  await (await prefetched).finished()
  await link.click()
}

/** An assignment that two people have reviewed Ben's work for. */
async function reviewed(
  api: Api,
  [ada, ben, cleo, dan]: [User, User, User, User],
  title: string,
): Promise<string> {
  const levels = [0, 10].map((marks) => ({ label: `Level ${marks}`, marks }))
  const rubric = { criteria: [{ title: 'Argument', levels }] }
  const id = await api.assignment(ada.token, { title, marks: 10, reviewsNeeded: 2, rubric })
  const submission = await api.submission(ben.token, id)
  await api.reviewByLevels(cleo.token, id, [1], `Cleo about ${title}.`)
  await api.reviewByLevels(dan.token, id, [1], `Dan about ${title}.`)
  return submission
}

test('a comment begun under one assignment stays there when the bell leads to another', async ({
  page,
  api,
}) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const [first, second] = [uniqueWord(), uniqueWord()]
  const firstId = await api.assignment(ada.token, { title: first })
  const secondId = await api.assignment(ada.token, { title: second })
  await api.comment(ben.token, secondId, 'A question.')
  await signIn(page, ada, `/assignment/${firstId}`)
  await box(page).fill('About the first')
  await openFromBell(page, second, `/api/assignment/${secondId}`)
  await expect(heading(page, second)).toBeVisible()
  await expect(box(page)).toHaveValue('')
  await box(page).fill('About the second')
  await page.goBack()
  await expect(heading(page, first)).toBeVisible()
  await expect(box(page)).toHaveValue('About the first')
  await page.goForward()
  await expect(heading(page, second)).toBeVisible()
  await expect(box(page)).toHaveValue('About the second')
  await box(page).press('Control+Enter')
  await expect(page.getByRole('article').filter({ hasText: 'About the second' })).toBeFocused()
  await page.goto(`/assignment/${firstId}`)
  await expect(page.getByRole('article').filter({ hasText: 'About the second' })).toHaveCount(0)
})

test('a link typed into the dialog of one assignment is not in the dialog of another', async ({
  page,
  api,
}) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const [first, second] = [uniqueWord(), uniqueWord()]
  const firstId = await api.assignment(ada.token, { title: first })
  const secondId = await api.assignment(ada.token, { title: second })
  const thread = await api.comment(ben.token, secondId, 'A question.')
  await api.comment(ada.token, secondId, 'An answer.', thread)
  await signIn(page, ben, `/assignment/${firstId}`)
  await page.getByRole('button', { name: 'Take Assignment' }).click()
  const link = submitDialog(page).getByRole('textbox', { name: 'Google Docs Link' })
  await link.fill('https://docs.google.com/document/d/first')
  await submitDialog(page).getByRole('button', { name: 'Cancel' }).click()
  await openFromBell(page, second, `/api/assignment/${secondId}`)
  await expect(heading(page, second)).toBeVisible()
  await page.getByRole('button', { name: 'Take Assignment' }).click()
  await expect(submitDialog(page)).toContainText(second)
  await expect(link).toHaveValue('')
  await link.fill('https://docs.google.com/document/d/second')
  await submitDialog(page).getByRole('button', { name: 'Cancel' }).click()
  await page.goBack()
  await expect(heading(page, first)).toBeVisible()
  await page.getByRole('button', { name: 'Take Assignment' }).click()
  await expect(link).toHaveValue('https://docs.google.com/document/d/first')
})

test('results of one assignment are not shown under another while its own are on the way', async ({
  page,
  api,
}) => {
  const [ada, ben, cleo] = [await api.user('Ada'), await api.user('Ben'), await api.user('Cleo')]
  const [first, second] = [uniqueWord(), uniqueWord()]
  const firstId = await api.assignment(ada.token, { title: first })
  const secondId = await api.assignment(ada.token, { title: second })
  await api.submission(ben.token, firstId)
  await api.submission(cleo.token, secondId)
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route(`**/api/assignment/${secondId}/submissions*`, async (route) => {
    await released
    await route.fallback()
  })
  await signIn(page, ada, `/assignment/${firstId}`)
  await expect(results(page)).toContainText(ben.email)
  await openFromBell(page, second, `/api/assignment/${secondId}`)
  await expect(heading(page, second)).toBeVisible()
  await expect(results(page).getByRole('status', { name: 'Loading the results' })).toBeVisible()
  await expect(results(page)).not.toContainText(ben.email)
  release()
  await expect(results(page)).toContainText(cleo.email)
  await expect(results(page)).not.toContainText(ben.email)
})

test('a reply begun on the page of one mark is not on the page of another', async ({ page, api }) => {
  const people: [User, User, User, User] = [
    await api.user('Ada'),
    await api.user('Ben'),
    await api.user('Cleo'),
    await api.user('Dan'),
  ]
  const [first, second] = [uniqueWord(), uniqueWord()]
  const submission = await reviewed(api, people, first)
  const other = await reviewed(api, people, second)
  await signIn(page, people[1], `/submission/${submission}/mark`)
  const reviews = page.getByRole('region', { name: 'What the reviewers said' }).getByRole('listitem')
  await expect(reviews.filter({ hasText: first })).toHaveCount(2)
  await reviews.first().getByRole('button', { name: 'Reply' }).click()
  await reviews.first().getByRole('textbox', { name: 'Reply' }).fill('Thank you.')
  await openFromBell(page, second, `/api/submissions/${other}/mark`)
  await expect(reviews.filter({ hasText: second })).toHaveCount(2)
  await expect(reviews.filter({ hasText: first })).toHaveCount(0)
  await expect(page.getByRole('textbox', { name: 'Reply' })).toHaveCount(0)
})
