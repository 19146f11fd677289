import { signIn } from '../support/api'
import { uniqueWord } from '../support/product'
import { expect, test } from '../support/test'

/** Readers far from UTC, whose calendars are a day behind or ahead of the server's. */

test.describe('in New York', () => {
  test.use({ timezoneId: 'America/New_York' })

  test('the settings have the browser’s time zone, also where they are its first page', async ({
    page,
    api,
  }) => {
    await signIn(page, await api.user('Ada'), '/profile')
    await expect(page.getByRole('combobox', { name: 'Time zone' })).toHaveValue('America/New_York')
  })
})

// In Honolulu it is still the day before the server's, in Auckland already the day after.
for (const { timezoneId, now, day } of [
  { timezoneId: 'Pacific/Honolulu', now: '2031-05-07T09:51:00.5Z', day: 'Tuesday, May 6, 2031 at 23:51' },
  { timezoneId: 'Pacific/Auckland', now: '2031-05-06T12:30:00.5Z', day: 'Wednesday, May 7, 2031 at 00:30' },
]) {
  test.describe(`in ${timezoneId}`, () => {
    test.use({ timezoneId })

    test("a submission of a moment ago says 'just now'", async ({ page, api }) => {
      const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
      const id = await api.assignment(ada.token, { title: uniqueWord() })
      await api.submission(ben.token, id)
      await page.clock.setFixedTime(now)
      await page.route('**/api/submissions?*', async (route) => {
        const response = await route.fetch()
        const rows = (await response.json()) as object[]
        await route.fulfill({ response, json: rows.map((row) => ({ ...row, submittedAt: now })) })
      })
      await signIn(page, ben, `/assignment/${id}`)
      const time = page.getByRole('status').filter({ hasText: 'Handed in' }).locator('time')
      await expect(time).toHaveText('just now')
      await expect(time).toHaveAttribute('title', day)
    })

    test('a notification that has only a day says the day', async ({ page, api }) => {
      const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
      const titles = [uniqueWord(), uniqueWord()]
      for (const title of titles) {
        const id = await api.assignment(ada.token, { title })
        await api.grade(ada.token, await api.submission(ben.token, id), 10)
      }
      // As the server dates a mark that several reviewers made.
      await page.clock.setFixedTime(now)
      await page.route('**/api/notifications?*', async (route) => {
        const response = await route.fetch()
        const answer = (await response.json()) as { data: object[] }
        const data = answer.data.map((row, at) => ({ ...row, createdAt: startOfDay(now, at) }))
        await route.fulfill({ response, json: { ...answer, data } })
      })
      await signIn(page, ben, '/notifications')
      const rows = page.getByRole('main').getByRole('listitem')
      await expect(rows.filter({ hasText: titles[1] }).locator('time')).toHaveText('today')
      await expect(rows.filter({ hasText: titles[0] }).locator('time')).toHaveText('yesterday')
    })
  })
}

/** When the UTC day of an instant began, or a day before that. */
function startOfDay(instant: string, daysBefore: number): string {
  const midnight = new Date(`${instant.slice(0, 10)}T00:00:00Z`)
  midnight.setUTCDate(midnight.getUTCDate() - daysBefore)
  return midnight.toISOString()
}
