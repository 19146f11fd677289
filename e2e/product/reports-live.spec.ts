import { signIn } from '../support/api'
import { mailedLink } from '../support/mails'
import { uniqueWord } from '../support/product'
import { expect, serverWith, test as base } from '../support/test'

/** Open pages of reports follow what other users report and decide. */

const emails = ['mia@example.org', 'max@example.org'] as const

const test = base.extend({ server: [...serverWith(`--moderators=${emails.join(',')}`)] })

test('of moderators', async ({ page, api, newPerson, server }) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const of = await api.assignment(ada.token, { title: uniqueWord() })
  const other = await newPerson()
  for (const [browser, email] of [
    [page, emails[0]],
    [other, emails[1]],
  ] as const) {
    await signIn(browser, await api.register({ name: 'Mo', email, password: 'Circle1' }), '/profile')
    await expect.poll(() => mailedLink(server.data, email, 'verify')).toContain('token=')
    await browser.goto(mailedLink(server.data, email, 'verify'))
    await browser.getByRole('button', { name: 'Confirm' }).click()
    await expect(browser.getByText('Thank you, your address is confirmed.')).toBeVisible()
    await browser.goto('/moderation')
    await expect(browser.getByText('No reports. All is well.')).toBeVisible()
    await expect(browser.getByText('No decisions yet.')).toBeVisible()
  }
  const reason = uniqueWord()
  await api.report(ben.token, of, reason)
  const [mine, theirs] = [page, other].map((browser) => browser.getByRole('article', { name: reason })) as [
    ReturnType<typeof page.getByRole>,
    ReturnType<typeof page.getByRole>,
  ]
  await expect(mine).toBeVisible()
  await expect(theirs).toBeVisible()
  await theirs.getByRole('button', { name: 'Dismiss' }).focus()
  await mine.getByRole('button', { name: 'Dismiss' }).click()
  await expect(theirs).toHaveCount(0)
  await expect(other.getByRole('region', { name: 'Decisions' })).toContainText(
    `${emails[0]} dismissed the report of an assignment`,
  )
  await expect(other.getByRole('heading', { level: 1, name: 'Moderation' })).toBeFocused()
})

test('of organizers', async ({ page, api, newPerson }) => {
  const [ada, ben, cleo] = [await api.user('Ada'), await api.user('Ben'), await api.user('Cleo')]
  const circle = await api.circle(ada.token, { name: uniqueWord() })
  const link = await api.invite(ada.token, circle)
  for (const one of [ben, cleo]) await api.join(one.token, link)
  await api.promote(ada.token, circle, 'Cleo', 'organizer')
  const of = await api.assignment(ben.token, { title: uniqueWord(), circleId: circle })
  const other = await newPerson()
  for (const [browser, who] of [
    [page, ada],
    [other, cleo],
  ] as const) {
    await signIn(browser, who, `/circle/${circle}?tab=reports`)
    await expect(browser.getByText('No reports. All is well.')).toBeVisible()
  }
  const reason = uniqueWord()
  await api.report(cleo.token, of, reason)
  for (const browser of [page, other]) {
    await expect(browser.getByRole('article', { name: reason })).toBeVisible()
  }
  await page.getByRole('article', { name: reason }).getByRole('button', { name: 'Dismiss' }).click()
  await expect(other.getByText('No reports. All is well.')).toBeVisible()
  await expect(other.getByRole('region', { name: 'Decisions' })).toContainText('dismissed the report')
})
