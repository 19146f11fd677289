import { signIn, type Api, type User } from '../support/api'
import { mailedLink } from '../support/mails'
import { uniqueWord } from '../support/product'
import { test as base, expect, serverWith, type Page } from '../support/test'

/** The day on the home page: what waits, and the way to where it is done. */

const email = 'mo@example.org'

const test = base.extend({ server: [...serverWith(`--moderators=${email}`)] })

const rubric = {
  criteria: [
    {
      title: 'Argument',
      levels: [
        { label: 'None', marks: 0 },
        { label: 'Strong', marks: 20 },
      ],
    },
  ],
}

const rowOf = (page: Page, title: string, text: RegExp) =>
  page.getByRole('main').getByRole('listitem').filter({ hasText: title }).filter({ hasText: text })

/** A class with a mark under appeal, two submissions whose reviews lie far apart, and a user who asks to join. */
async function classOf(api: Api) {
  const people = ['Ada', 'Ben', 'Cleo', 'Dan', 'Eve', 'Fay'].map((name) => api.user(name))
  const [ada, ben, cleo, dan, eve, fay] = (await Promise.all(people)) as [User, User, User, User, User, User]
  const name = uniqueWord()
  const circleId = await api.circle(ada.token, { name, join: 'ask', listed: true })
  const link = await api.invite(ada.token, circleId)
  for (const { token } of [ben, cleo, dan, eve]) await api.join(token, link)
  const [graded, reviewed] = [uniqueWord(), uniqueWord()]
  const single = await api.assignment(ada.token, { title: graded, circleId })
  const several = await api.assignment(ada.token, { title: reviewed, circleId, reviewsNeeded: 2, rubric })
  const work = await api.submission(ben.token, single)
  await api.grade(cleo.token, work, 12)
  await api.appeal(ben.token, work, 'The reviews leave out page two.')
  for (const { token } of [ben, cleo]) await api.submission(token, several)
  for (const [level, { token }] of [dan, eve].entries()) {
    for (let given = 0; given < 2; given++) await api.reviewByLevels(token, several, [level])
  }
  await api.askToJoin(fay.token, circleId)
  return { ada, dan, name, graded, reviewed }
}

test('home tells a teacher what waits, and each row leads to where it is done', async ({ page, api }) => {
  const { ada, name, graded, reviewed } = await classOf(api)
  await signIn(page, ada, '/')
  const appeal = rowOf(page, graded, /Under appeal: .* you can decide at once\./)
  const finalize = rowOf(page, reviewed, /2 submissions are ready for you to finalize\./)
  const asks = rowOf(page, name, /1 person asks to join\./)
  await expect(appeal).toContainText(name)
  await expect(asks).toBeVisible()

  await finalize.getByRole('link', { name: 'Finalize' }).click()
  await page.getByRole('button', { name: 'Finalize all (2)' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Finalize all' }).click()
  await expect(page.getByText('2 finalized')).toBeVisible()
  await page.goto('/')
  await expect(appeal).toBeVisible()
  await expect(finalize).toHaveCount(0)

  await asks.getByRole('link', { name: 'Decide' }).click()
  await page.getByRole('button', { name: 'Accept' }).click()
  await expect(page.getByText('Accepted')).toBeVisible()
  await page.goto('/')
  await expect(appeal).toBeVisible()
  await expect(asks).toHaveCount(0)

  await appeal.getByRole('link', { name: 'Decide' }).click()
  const opened = page.getByRole('region', { name: 'Submission of Ben' })
  await expect(opened.getByRole('button', { name: 'Keep 12' })).toBeVisible()
})

test('home tells a student of work that is not handed in', async ({ page, api }) => {
  const { dan, name, reviewed } = await classOf(api)
  await signIn(page, dan, '/')
  const due = rowOf(page, reviewed, /Hand in your work by \d{4}\/\d\d\/\d\d\./)
  await expect(due).toContainText(name)
  await due.getByRole('link', { name: 'Hand in' }).click()
  await expect(page.getByRole('heading', { level: 1, name: reviewed })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Take Assignment' })).toBeVisible()
})

test('home tells a moderator of a report', async ({ page, api, server }) => {
  const [ada, ben] = (await Promise.all(['Ada', 'Ben'].map((name) => api.user(name)))) as [User, User]
  await signIn(page, await api.register({ name: 'Mo', email, password: 'Circle1' }), '/profile')
  await expect.poll(() => mailedLink(server.data, email, 'verify')).toContain('token=')
  await page.goto(mailedLink(server.data, email, 'verify'))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('Thank you, your address is confirmed.')).toBeVisible()
  await page.goto('/')
  await expect(page.getByText('You’re all caught up.')).toBeVisible()
  const reason = uniqueWord()
  await api.report(ben.token, await api.assignment(ada.token, { title: uniqueWord() }), reason)
  const report = rowOf(page, 'Moderation', /1 report waits for your decision\./)
  await report.getByRole('link', { name: 'Look' }).click()
  await expect(page.getByRole('article', { name: reason })).toBeVisible()
})
