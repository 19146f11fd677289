import { signIn, type User } from '../support/api'
import { mailedLink } from '../support/mails'
import { answerBox, fillAssignment, inDays, row, uniqueWord } from '../support/product'
import { expect, test, type Page } from '../support/test'

/** The flows by which a teacher judges the product, with the presses that they take. */

/** Counts the presses in a page from now on: of pointers, and Enter. Filling in a field is none. */
async function countPresses(page: Page): Promise<() => number> {
  let presses = 0
  await page.exposeFunction('countPress', () => presses++)
  const count = () => {
    const { countPress } = window as unknown as { countPress: () => void }
    window.addEventListener('pointerdown', () => countPress(), true)
    window.addEventListener('keydown', ({ key }) => key === 'Enter' && countPress(), true)
  }
  await page.addInitScript(count)
  await page.evaluate(count)
  return () => presses
}

test('a teacher has a class and its first mark with fifteen presses', async ({
  page,
  newPerson,
  api,
  server,
}) => {
  const ada = await api.user('Ada')
  const pupils: User[] = []
  for (const name of ['Ben', 'Cleo']) pupils.push(await api.user(name))
  for (const { email, token } of pupils) {
    await expect.poll(() => mailedLink(server.data, email, 'verify')).toContain('token=')
    await api.confirm(token, mailedLink(server.data, email, 'verify'))
  }
  const name = `Class ${uniqueWord()}`
  await signIn(page, ada, '/')
  const presses = await countPresses(page)

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Circles' }).click()
  await page.getByRole('button', { name: 'New circle' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('radio', { name: /^Class/ }).click()
  await page.getByRole('button', { name: 'Create circle' }).click()
  await page.getByRole('tab', { name: 'Members' }).click()
  await page.getByRole('button', { name: 'Upload a roster' }).click()
  const dialog = page.getByRole('dialog', { name: 'Upload a roster' })
  await dialog.getByLabel('File').setInputFiles({
    name: 'class.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`email,name\n${pupils.map(({ email }) => `${email},Pupil`).join('\n')}\n`),
  })
  await expect(dialog.getByRole('definition')).toHaveText(['0', '2', '0', '0'])
  await dialog.getByRole('button', { name: 'Upload' }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole('tab', { name: 'Assignments' }).click()
  await page.getByRole('link', { name: 'Create the first one' }).click()
  const title = `Essay ${uniqueWord()}`
  await fillAssignment(page, { title, dueDate: inDays(10) })
  await page.getByRole('button', { name: 'Create Assignment' }).click()
  await expect(page.getByRole('article', { name: title })).toBeVisible()

  const pupil = await newPerson()
  await signIn(pupil, pupils[0] as User, '/')
  await pupil.getByRole('listitem').filter({ hasText: name }).getByRole('button', { name: 'Accept' }).click()
  await expect(pupil.getByRole('heading', { level: 1, name })).toBeVisible()
  await pupil.goto('/')
  await pupil.getByRole('listitem').filter({ hasText: title }).getByRole('link', { name: 'Hand in' }).click()
  await pupil.getByRole('button', { name: 'Take Assignment' }).click()
  await pupil.getByRole('textbox', { name: 'Google Docs Link' }).fill('https://docs.example.org/d/1')
  await pupil.getByRole('dialog').getByRole('button', { name: 'Submit' }).click()
  await answerBox(pupil, 'Success!', 'Assignment submitted successfully!')

  await page.getByRole('tab', { name: 'Pending' }).click()
  await row(page, title).getByRole('button', { name: 'Give Mark' }).click()
  await page.getByLabel('Marks').fill('18')
  await page.getByRole('textbox', { name: 'Feedback' }).fill('You did name both causes.')
  await page.getByRole('dialog').getByRole('button', { name: 'Submit' }).click()
  await answerBox(page, 'Success', 'Assignment marked successfully!')
  expect(presses()).toBeLessThanOrEqual(15)
})

test('the marks of a class are out with three presses', async ({ page, api }) => {
  const ada = await api.user('Ada')
  const circleId = await api.circle(ada.token, { name: `Class ${uniqueWord()}` })
  await signIn(page, ada, `/circle/${circleId}`)
  const presses = await countPresses(page)
  await page.getByRole('tab', { name: 'Marks' }).click()
  await page.getByRole('button', { name: 'Marks as a file' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('dialog').getByRole('button', { name: 'For Canvas' }).click()
  await download
  expect(presses()).toBe(3)
})

test('old work is found on a phone with two presses, without scrolling', async ({ page, api }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const old = uniqueWord()
  for (const title of [old, ...Array.from({ length: 12 }, uniqueWord)]) {
    await api.submission(ben.token, await api.assignment(ada.token, { title: `Essay ${title}` }))
  }
  await signIn(page, ben, '/')
  const presses = await countPresses(page)
  await page.getByRole('button', { name: 'Find anything' }).click()
  await page.getByRole('dialog').getByRole('searchbox').fill(old)
  await page
    .getByRole('dialog')
    .getByRole('link', { name: `${old} pending` })
    .click()
  await expect(page.getByRole('main').getByText(old)).toBeInViewport()
  expect(presses()).toBe(2)
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
})
