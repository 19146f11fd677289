import type { Locator } from '@playwright/test'
import { signIn } from '../support/api'
import { uniqueWord } from '../support/product'
import { expect, test } from '../support/test'

/** How much of a phone's screen the rows of a table take. */

const heightOf = async (shown: Locator) => (await shown.boundingBox())?.height ?? Infinity

test.use({ viewport: { width: 390, height: 844 } })

test('ten submissions, and five that wait', async ({ page, api }) => {
  const [ada, ben, cleo] = [await api.user('Ada'), await api.user('Ben'), await api.user('Cleo')]
  for (let n = 0; n < 10; n++) {
    const id = await api.assignment(ada.token, { title: `Tides and the moon, part ${n} ${uniqueWord()}` })
    const submission = await api.submission(ben.token, id)
    if (n < 5) await api.grade(cleo.token, submission, 15, 'You name both bulges. The neap tide is missing.')
  }
  await signIn(page, ben, '/attemded-assignments')
  const own = page.getByRole('table', { name: 'What you handed in' })
  await expect(own.getByRole('row')).toHaveCount(11)
  await expect.poll(() => heightOf(own)).toBeLessThan(1_400)
  await page.goto('/pending-assignments')
  const pending = page.getByRole('table', { name: 'Submissions waiting for a grade' })
  await expect(pending.getByRole('row').filter({ hasText: 'Tides' })).not.toHaveCount(0)
  const first = pending.getByRole('row').filter({ hasText: 'Tides' }).first()
  await expect.poll(() => heightOf(first)).toBeLessThan(170)
})

test('the members of a circle', async ({ page, api }) => {
  const ada = await api.user('Ada')
  const circle = await api.circle(ada.token, { name: uniqueWord() })
  const link = await api.invite(ada.token, circle, { role: 'member' })
  for (let n = 0; n < 9; n++) await api.join((await api.user(`Member ${n}`)).token, link)
  await signIn(page, ada, `/circle/${circle}?tab=members`)
  const members = page.getByRole('table', { name: 'Members' })
  await expect(members.getByRole('row')).toHaveCount(11)
  await expect.poll(() => heightOf(members)).toBeLessThan(1_350)
})
