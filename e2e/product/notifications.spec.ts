import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { signIn, type User } from '../support/api'
import { check } from '../support/accessible'
import { card, fillAssignment, uniqueWord } from '../support/product'
import { expect, test, type Page } from '../support/test'

const bell = (page: Page) => page.getByRole('banner').getByRole('button', { name: /^Notifications/ })
const list = (page: Page) => page.getByRole('region', { name: 'Notifications' })
const unread = (page: Page, count: number) =>
  expect(bell(page)).toHaveAccessibleName(count > 0 ? `Notifications, ${count} unread` : 'Notifications')

/** The emails to a user in the data folder, with long lines joined. */
function mailsTo(data: string, { email }: User): string[] {
  return readdirSync(data, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.eml'))
    .map((name) => readFileSync(path.join(data, name), 'utf8').replaceAll('=\r\n', '').replaceAll('=3D', '='))
    .filter((mail) => mail.toLowerCase().includes(email))
}

test('two people, each in two browsers: bells come alive in every tab, and read in one is read in all', async ({
  page,
  newPerson,
  api,
}) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const word = uniqueWord()
  const assignment = await api.assignment(ada.token, { title: word })
  const adas = [page, await newPerson()] as const
  const bens = [await newPerson(), await newPerson()] as const
  for (const each of adas) await signIn(each, ada, '/about-Us')
  for (const each of bens) await signIn(each, ben, '/assignments')
  const second = await bens[0].context().newPage()
  await second.goto('/')
  for (const each of [...adas, ...bens, second]) await unread(each, 0)

  const submission = await api.submission(ben.token, assignment)
  for (const each of adas) await unread(each, 1)
  for (const each of bens) await unread(each, 0)
  await api.grade(ada.token, submission, 18)
  for (const each of [...bens, second]) await unread(each, 1)

  await bell(adas[0]).click()
  const entry = list(adas[0]).getByRole('link', { name: new RegExp(word) })
  await expect(entry).toHaveAccessibleName(
    new RegExp(`^Unread: ${ben.name} handed in work for your assignment ${word}`),
  )
  await entry.click()
  await expect(adas[0]).toHaveURL(`/assignment/${assignment}#results`)
  await expect(list(adas[0])).toHaveCount(0)
  for (const each of adas) await unread(each, 0)

  await bell(bens[1]).click()
  await list(bens[1]).getByRole('button', { name: 'Mark all as read' }).click()
  for (const each of [...bens, second]) await unread(each, 0)
  await expect(list(bens[1]).getByRole('button', { name: 'Mark all as read' })).toHaveCount(0)
  await bens[1].keyboard.press('Escape')
  await expect(list(bens[1])).toHaveCount(0)
  await expect(bell(bens[1])).toBeFocused()
})

test('a class is notified of a new assignment, and the notification leads there', async ({
  page,
  newPerson,
  api,
}) => {
  const [tara, ben] = [await api.user('Tara'), await api.user('Ben')]
  const word = uniqueWord()
  const [name, title] = [`History ${word}`, `Treaty ${word}`]
  const circle = await api.circle(tara.token, { name })
  await api.join(ben.token, await api.invite(tara.token, circle))
  await signIn(page, ben, '/about-Us')
  await unread(page, 0)
  const taras = await newPerson()
  await signIn(taras, tara, `/circle/${circle}`)
  await taras.getByRole('link', { name: 'New assignment' }).click()
  await fillAssignment(taras, { title })
  await taras.getByRole('button', { name: 'Create Assignment' }).click()
  await expect(card(taras, title)).toBeVisible()

  await unread(page, 1)
  await bell(page).click()
  const entry = list(page).getByRole('link', { name: new RegExp(`^Unread: .*${title}`) })
  await expect(entry).toHaveAccessibleName(
    new RegExp(`^Unread: ${tara.name} set ${title} for ${name}, due \\d{4}/\\d\\d/\\d\\d`),
  )
  await entry.click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await unread(page, 0)
  await unread(taras, 0)
})

test('all notifications, a page at a time', async ({ page, api }) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  await signIn(page, ben, '/notifications')
  await expect(page).toHaveTitle('Notifications | StudyCircle')
  await expect(page.getByText('No notifications yet.')).toBeVisible()
  const words: string[] = []
  for (let n = 0; n < 21; n++) {
    const word = uniqueWord()
    words.push(word)
    const assignment = await api.assignment(ada.token, { title: word })
    await api.grade(ada.token, await api.submission(ben.token, assignment), 3)
  }
  const main = page.getByRole('main')
  await unread(page, 21)
  await expect(main.getByRole('listitem')).toHaveCount(20)
  await expect(main.getByRole('listitem').first()).toContainText(`Your work on ${words[20]} was graded`)
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Next' }).click()
  await expect(page).toHaveURL('/notifications?page=2')
  await expect(main.getByRole('listitem')).toHaveCount(1)
  await bell(page).click()
  await list(page).getByRole('link', { name: 'All notifications' }).click()
  await main.getByRole('button', { name: 'Mark all as read' }).click()
  await unread(page, 0)
})

test('notifications are chosen in the profile, and a calendar is made there', async ({
  page,
  api,
  consoleErrors,
}) => {
  consoleErrors.allow(/422/)
  const ben = await api.user('Ben')
  await signIn(page, ben, '/profile')
  const section = page.getByRole('region', { name: 'Notifications' })
  await expect(section.getByRole('checkbox', { name: 'My work is graded: by email' })).toBeChecked()
  await section.getByRole('checkbox', { name: 'My work is graded: by email' }).uncheck()
  await section.getByRole('combobox', { name: 'Emails' }).selectOption('One email a day')
  await section.getByLabel('Remind me, days before').fill('1, 40')
  await section.getByRole('button', { name: 'Update notifications' }).click()
  await expect(section.getByText('Enter up to five different days from 0 to 30, like 3, 1.')).toBeVisible()
  await section.getByLabel('Remind me, days before').fill('7, 0')
  await section.getByLabel('Time zone').fill('Mars/Olympus')
  await section.getByRole('button', { name: 'Update notifications' }).click()
  await expect(
    section.getByText('This time zone is not known. Choose one from the list, like Europe/Berlin.'),
  ).toBeVisible()
  await section.getByLabel('Time zone').fill('Australia/Lord_Howe')
  await section.getByLabel('Time of day').fill('07:45')
  await section.getByRole('button', { name: 'Update notifications' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Notifications saved' })).toBeVisible()
  await page.reload()
  await expect(section.getByRole('checkbox', { name: 'My work is graded: by email' })).not.toBeChecked()
  await expect(section.getByLabel('Remind me, days before')).toHaveValue('7, 0')
  await expect(section.getByLabel('Time zone')).toHaveValue('Australia/Lord_Howe')
  await expect(section.getByLabel('Time of day')).toHaveValue('07:45')

  await section.getByRole('button', { name: 'Create a calendar address' }).click()
  const address = await section.getByLabel('Calendar address').inputValue()
  const calendar = await page.request.get(address)
  expect(calendar.headers()['content-type']).toBe('text/calendar; charset=utf-8')
  await section.getByRole('button', { name: 'New calendar address' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click()
  await expect(section.getByLabel('Calendar address')).not.toHaveValue(address)
  expect((await page.request.get(address)).status()).toBe(404)
  await section.getByRole('button', { name: 'End calendar' }).click()
  await expect(section.getByRole('button', { name: 'Create a calendar address' })).toBeVisible()
})

test('the link in an email ends emails of its kind, signed out, by a press', async ({
  page,
  newPerson,
  api,
  server,
}) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  // Ben confirms his address by the link in the registration email.
  let verify: string | undefined
  await expect
    .poll(() => (verify = /\/auth\/verify\?token=[\w-]+/.exec(mailsTo(server.data, ben).join('\n'))?.[0]))
    .toBeTruthy()
  const bens = await newPerson()
  await signIn(bens, ben, verify ?? '')
  await bens.getByRole('button', { name: 'Confirm' }).click()
  await expect(bens.getByText('Thank you, your address is confirmed.')).toBeVisible()
  const assignment = await api.assignment(ada.token, { title: uniqueWord() })
  await api.grade(ada.token, await api.submission(ben.token, assignment), 3)
  let link: string | undefined
  await expect
    .poll(
      () =>
        (link = mailsTo(server.data, ben)
          .map((mail) => /^List-Unsubscribe: <(\S+)>/m.exec(mail.replaceAll(/\r\n[ \t]+/g, ' '))?.[1])
          .find(Boolean)),
      { timeout: 30_000 },
    )
    .toBeTruthy()
  await page.goto(link ?? '')
  await expect(page).toHaveTitle('Unsubscribe | StudyCircle')
  await expect(page.getByText('Do you want to stop emails about “My work is graded”?')).toBeVisible()
  await check(page, 'unsubscribe')
  await bens.goto('/profile')
  const mailed = bens.getByRole('checkbox', { name: 'My work is graded: by email' })
  await expect(mailed).toBeChecked()
  await page.getByRole('button', { name: 'Unsubscribe' }).click()
  await expect(page.getByText(/You will get no more emails about “My work is graded”\./)).toBeFocused()
  await bens.reload()
  await expect(mailed).not.toBeChecked()
})

test('a changed link is reported', async ({ page, consoleErrors }) => {
  consoleErrors.allow(/404/)
  await page.goto('/unsubscribe/somebody.graded.x')
  await expect(page.getByRole('alert')).toContainText('This link is incomplete or was changed on its way.')
  await expect(page.getByRole('button', { name: 'Unsubscribe' })).toHaveCount(0)
})

test('axe on the bell and its list, all notifications and the settings', async ({ page, api }) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const title = 'W'.repeat(200)
  const assignment = await api.assignment(ada.token, { title })
  await api.grade(ada.token, await api.submission(ben.token, assignment), 3)
  await signIn(page, ben, '/notifications')
  await unread(page, 1)
  await check(page, 'all notifications')
  await bell(page).click()
  await expect(list(page).getByRole('link', { name: /graded/ })).toBeVisible()
  await check(page, 'the list of the bell')
  await page.goto('/profile')
  await expect(page.getByRole('button', { name: 'Update notifications' })).toBeVisible()
  await check(page, 'settings')
})
