import { signIn } from '../support/api'
import { answerBox, expectToast, row, uniqueWord } from '../support/product'
import { expect, test, type Page } from '../support/test'

/** Circles: who gets in, who is let out, and what others see of it. */

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })

/** What a page that does not exist says. */
const missing = (page: Page) => page.getByRole('heading', { level: 1, name: 'Error !Page not found' })

test('a link that does not work says so; a pasted one leads to its circle', async ({
  page,
  api,
  consoleErrors,
}) => {
  consoleErrors.allow(/404/)
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const name = uniqueWord()
  const circle = await api.circle(ada.token, { name })
  const link = await api.invite(ada.token, circle, { uses: 1 })
  await signIn(page, ben, '/join#abcdefghijklmnopqrstuvwxyz')
  await expect(page.getByRole('heading', { level: 1, name: 'This link does not work' })).toBeVisible()
  await page.getByRole('link', { name: 'Your circles' }).click()
  await page.getByRole('button', { name: 'Join with a link' }).click()
  const dialog = page.getByRole('dialog', { name: 'Join with a link' })
  await dialog.getByRole('textbox', { name: 'Link' }).fill('https://example.org/')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByText('Paste the whole link, as it was sent to you.')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Link' }).fill(` ${link} `)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await page.getByRole('button', { name: 'Join this circle' }).click()
  await expect(page).toHaveURL(new RegExp(`/circle/${circle}$`))
  // Back does not lead to the invitation again.
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Circles' })).toBeVisible()
  await expect(page.getByRole('article', { name }).getByText('2 members')).toBeVisible()

  // Its last use is gone.
  const cleo = await api.user('Cleo')
  await page.context().clearCookies()
  await signIn(page, cleo, link)
  await expect(page.getByRole('heading', { level: 1, name: 'This link does not work' })).toBeVisible()
})

test('a member who is removed loses sight of the circle at once', async ({
  page,
  api,
  newPerson: newBrowser,
  consoleErrors,
}) => {
  consoleErrors.allow(/404/)
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const name = uniqueWord()
  const circle = await api.circle(ada.token, { name })
  await api.join(ben.token, await api.invite(ada.token, circle))
  const other = await newBrowser()
  await signIn(other, ben, `/circle/${circle}?tab=members`)
  await expect(row(other, 'Ada')).toBeVisible()
  await expect(other.getByRole('button', { name: 'Invite' })).toHaveCount(0)
  await expect(other.getByText(ada.email)).toHaveCount(0)
  await expect(tab(other, 'Settings')).toHaveCount(0)
  const list = await other.context().newPage()
  await list.goto('/circles')
  await expect(list.getByRole('article', { name })).toBeVisible()
  await other.bringToFront()

  await signIn(page, ada, `/circle/${circle}?tab=members`)
  await expect(row(page, 'Ben')).toContainText(ben.email)
  await row(page, 'Ben').getByRole('button', { name: 'Remove' }).click()
  await answerBox(page, 'Remove this member?', null, 'Remove')
  await expect(row(page, 'Ben')).toHaveCount(0)
  await expect(page.getByText('1 member', { exact: true })).toBeVisible()

  await expect(missing(other)).toBeVisible({ timeout: 5_000 })
  await expect(other.getByText(name)).toHaveCount(0)
  await list.bringToFront()
  await expect(list.getByText('You are in no circle yet.')).toBeVisible()
})

test('two owners; the last one cannot go', async ({ page, api, newPerson: newBrowser }) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const circle = await api.circle(ada.token, { name: uniqueWord() })
  await api.join(ben.token, await api.invite(ada.token, circle))
  const other = await newBrowser()
  await signIn(page, ada, `/circle/${circle}?tab=settings`)
  await signIn(other, ben, `/circle/${circle}`)
  await expect(page.getByRole('button', { name: 'Archive circle' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Leave circle' })).toHaveCount(0)
  await expect(other.getByRole('button', { name: 'Leave circle' })).toBeVisible()
  await expect(tab(other, 'Settings')).toHaveCount(0)

  // The only owner asks a member, who accepts: they change places.
  await page.getByRole('button', { name: 'Hand over' }).click()
  const dialog = page.getByRole('dialog', { name: 'Hand over this circle' })
  await dialog.getByRole('button', { name: 'Ask them' }).click()
  await expect(dialog.getByText('Choose a member.')).toBeVisible()
  await dialog.getByRole('radio', { name: 'Ben' }).check()
  await dialog.getByRole('button', { name: 'Ask them' }).click()
  await expectToast(page, 'Asked. They become owner once they accept.')
  await other.getByRole('button', { name: 'Accept' }).click()
  await expect(tab(other, 'Settings')).toBeVisible()
  await expect(tab(page, 'Settings')).toHaveCount(0)

  // The new owner makes a second one; each of them may go then, and the one who stays may not.
  await tab(other, 'Members').click()
  await expect(row(other, 'Ben').getByRole('button', { name: 'Remove' })).toHaveCount(0)
  await row(other, 'Ada').getByRole('button', { name: 'Edit' }).click()
  const edit = other.getByRole('dialog', { name: 'Edit member' })
  await edit.getByRole('combobox', { name: 'Role' }).selectOption({ value: 'owner' })
  await edit.getByRole('button', { name: 'Save' }).click()
  await expectToast(other, 'Saved')
  await expect(other.getByRole('button', { name: 'Leave circle' })).toBeVisible()
  await expect(tab(page, 'Settings')).toBeVisible()
  await page.getByRole('button', { name: 'Leave circle' }).click()
  await answerBox(page, 'Leave this circle?', null, 'Leave')
  await expect(page).toHaveURL(/\/circles$/)
  await expect(other.getByRole('button', { name: 'Leave circle' })).toHaveCount(0)
})

test('a circle that users find: joined at once, or after asking', async ({
  page,
  api,
  newPerson: newBrowser,
}) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const word = uniqueWord()
  const [open, asks] = [`Chess ${word}`, `Choir ${word}`]
  await api.circle(ada.token, { name: open, listed: true, join: 'open', description: 'Every **Monday**.' })
  const choir = await api.circle(ada.token, { name: asks, listed: true, join: 'ask' })
  const other = await newBrowser()
  await signIn(other, ben, '/circles')
  await other.getByRole('searchbox', { name: 'Search circles' }).fill(word)
  await other.getByRole('button', { name: 'Search' }).click()
  await expect(other.getByRole('article')).toHaveCount(2)
  await expect(other.getByRole('article', { name: open }).getByText('Every Monday.')).toBeVisible()
  await other.getByRole('article', { name: asks }).getByRole('button', { name: 'Ask to join' }).click()
  await expect(other.getByRole('article', { name: asks }).getByText('Asked', { exact: true })).toBeVisible()

  await signIn(page, ada, `/circle/${choir}?tab=members`)
  const asking = page.getByRole('region', { name: 'Asking to join' })
  await asking.getByRole('button', { name: 'Accept' }).click()
  await expect(asking).toHaveCount(0)
  await expect(row(page, 'Ben')).toBeVisible()
  // The page that asked hears of it.
  await expect(other.getByRole('article', { name: asks }).getByRole('link', { name: 'Open' })).toBeVisible()
  await other.getByRole('article', { name: open }).getByRole('button', { name: 'Join' }).click()
  await expect(other.getByRole('heading', { level: 1, name: open })).toBeFocused()
})

test('archived, deleted and restored', async ({ page, api, newPerson: newBrowser, consoleErrors }) => {
  consoleErrors.allow(/404/)
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const name = uniqueWord()
  const circle = await api.circle(ada.token, { name })
  await api.join(ben.token, await api.invite(ada.token, circle))
  const other = await newBrowser()
  await signIn(other, ben, `/circle/${circle}`)
  await expect(tab(other, 'Pending')).toBeVisible()
  await signIn(page, ada, `/circle/${circle}?tab=settings`)
  await page.getByRole('button', { name: 'Archive circle' }).click()
  await answerBox(page, 'Archive this circle?', null, 'Archive')
  const archived = 'This circle is archived: it can be read, but not changed.'
  await expect(page.getByText(archived)).toBeVisible()
  await expect(other.getByText(archived)).toBeVisible()
  // It offers nothing that the server refuses.
  await expect(tab(other, 'Pending')).toHaveCount(0)
  await expect(other.getByRole('link', { name: 'New assignment' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0)
  await tab(page, 'Members').click()
  await expect(row(page, 'Ben')).toBeVisible()
  for (const action of ['Invite', 'Upload a roster', 'Edit', 'Remove', 'Revoke']) {
    await expect(page.getByRole('button', { name: action, exact: true })).toHaveCount(0)
  }
  await tab(page, 'Settings').click()
  await page.getByRole('button', { name: 'Bring it back' }).click()
  await expect(page.getByText(archived)).toHaveCount(0)

  await page.getByRole('button', { name: 'Delete circle' }).click()
  await answerBox(page, 'Delete this circle?', null, 'Delete')
  await expect(page).toHaveURL(/\/circles$/)
  await expect(missing(other)).toBeVisible({ timeout: 5_000 })
  const deleted = page.getByRole('region', { name: 'Deleted' })
  await expect(deleted.getByText(name)).toBeVisible()
  await deleted.getByRole('button', { name: 'Restore' }).click()
  await expect(deleted).toHaveCount(0)
  await page.getByRole('article', { name }).getByRole('link', { name }).click()
  await expect(page.getByText('2 members')).toBeVisible()
})
