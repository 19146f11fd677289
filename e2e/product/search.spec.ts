import { check } from '../support/accessible'
import { signIn, type User } from '../support/api'
import { uniqueWord } from '../support/product'
import { expect, test } from '../support/test'

/** One search for all that a user may see. */

test('a member finds the work of a circle and what they handed in, and an outsider finds neither', async ({
  page,
  newPerson,
  api,
}) => {
  const people = ['Ada', 'Ben', 'Eve'].map((name) => api.user(name))
  const [ada, ben, eve] = (await Promise.all(people)) as [User, User, User]
  const [word, name] = [uniqueWord(), uniqueWord()]
  const circleId = await api.circle(ada.token, { name })
  await api.join(ben.token, await api.invite(ada.token, circleId))
  const id = await api.assignment(ada.token, { title: `${word} of the sea`, circleId })
  await api.submission(ben.token, id)
  await signIn(page, ben, '/')
  await expect(page.getByRole('button', { name: 'Find anything' })).toBeEnabled()
  await page.keyboard.press('/')
  const dialog = page.getByRole('dialog', { name: 'Find anything' })
  await expect(dialog.getByRole('searchbox')).toBeFocused()
  await page.keyboard.type(word)
  const results = dialog.getByRole('listitem')
  await expect(results).toHaveCount(2)
  await expect(results.first()).toHaveText(`${word} of the sea${name}`)
  await check(page, 'results of a search')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/attemded-assignments\?search=/)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(page.getByRole('row')).toHaveCount(2)
  await page.getByRole('searchbox', { name: 'Search titles' }).fill('nothing')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(page.getByText('No title of what you handed in has these words.')).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('searchbox', { name: 'Search titles' })).toHaveValue(`${word} of the sea`)
  await page.keyboard.press('Control+k')
  await expect(dialog.getByRole('searchbox')).toBeFocused()
  await page.keyboard.type(name)
  // What stands there before is for the first letters of it.
  await expect(dialog.getByRole('status')).toHaveText('1 result')
  await expect(dialog.getByRole('link', { name })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/circle/${circleId}`)

  const outside = await newPerson()
  await signIn(outside, eve, '/assignments')
  await outside.getByRole('button', { name: 'Find anything' }).click()
  await expect(outside.getByRole('searchbox', { name: 'Words of' })).toBeFocused()
  await outside.keyboard.type(word)
  await expect(outside.getByText('Nothing that you may see has these words.')).toBeVisible()
  await outside.keyboard.press('Escape')
  await expect(outside.getByRole('button', { name: 'Find anything' })).toBeFocused()
})
