import { check, phone } from '../support/accessible'
import { signIn } from '../support/api'
import { actionOf, row, uniqueWord } from '../support/product'
import { expect, test } from '../support/test'

/** axe on the pages of circles, their tabs and dialogs; and what the keyboard does there. */

test.use(phone)

const long = 'Pfingstrosenzüchterinnen'.repeat(3)

test('circles, their search and the ways in', async ({ page, api }) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const word = uniqueWord()
  await api.circle(ada.token, {
    name: `${word} ${long}`,
    listed: true,
    join: 'open',
    description: `${long} **bold**`,
  })
  await api.circle(ada.token, { name: `${word} choir`, listed: true, join: 'ask' })
  await signIn(page, ben, '/circles')
  await expect(page.getByText('You are in no circle yet.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Find a circle' })).toBeVisible()
  await page.goto(`/circles?search=${word}`)
  await expect(page.getByRole('button', { name: 'Ask to join' })).toBeVisible()
  await check(page, 'circles of a newcomer')
  await page.getByRole('button', { name: 'New circle' }).click()
  await page.getByRole('button', { name: 'Create circle' }).click()
  await expect(page.getByText('Name the circle.')).toBeVisible()
  await check(page, 'a new circle', [320])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Join with a link' }).click()
  await expect(page.getByRole('dialog', { name: 'Join with a link' })).toBeVisible()
  await check(page, 'joining with a link', [320])
  await page.keyboard.press('Escape')
  const mine = await api.circle(ben.token, { name: `${word} mine ${long}`, description: 'A **class**.' })
  await page.goto('/circles')
  await expect(page.getByRole('article', { name: `${word} mine` })).toBeVisible()
  await check(page, 'a circle of one’s own')
  await page.goto(`/circle/${mine}?tab=settings`)
  await page.getByRole('button', { name: 'Delete circle' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await check(page, 'whether to delete it', [320])
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Deleted' })).toBeVisible()
  await check(page, 'a deleted circle')
})

test('an invitation', async ({ page, api, consoleErrors }) => {
  consoleErrors.allow(/404/)
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const circle = await api.circle(ada.token, { name: long, description: '# What\n\n- one' })
  const link = await api.invite(ada.token, circle)
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'You are invited to a circle' })).toBeVisible()
  await check(page, 'an invitation, as a visitor')
  await page.goto('/about-Us')
  await signIn(page, ben, '/join#abcdefghijklmnopqrstuvwxyz')
  await expect(page.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
  await check(page, 'a broken invitation', [320])
  await page.goto('/about-Us')
  await page.goto(link)
  await expect(page.getByRole('button', { name: 'Join this circle' })).toBeVisible()
  await check(page, 'an invitation, as a user')
})

test('a circle and its tabs', async ({ page, api }) => {
  const [ada, ben, cleo] = [await api.user('Ada'), await api.user(`Ben ${long}`), await api.user('Cleo')]
  const circle = await api.circle(ada.token, {
    name: `Biology ${long}`,
    description: `Ponds, **${long}**.`,
    join: 'ask',
    listed: true,
  })
  await api.join(ben.token, await api.invite(ada.token, circle, { label: 'Section B' }))
  await api.invite(ada.token, circle, { onlyDomain: `${long}.example`, uses: 1 })
  await signIn(page, ada, `/circle/${circle}`)
  await expect(page.getByText('No assignments here yet.')).toBeVisible()
  await check(page, 'a new circle')

  // The keyboard moves through the tabs, and opens one.
  const tab = (name: string) => page.getByRole('tab', { name, exact: true })
  await tab('Assignments').focus()
  await page.keyboard.press('ArrowLeft')
  await expect(tab('Settings')).toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await expect(tab('Pending')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(tab('Pending')).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByText('No pending assignments found.')).toBeVisible()
  await check(page, 'nothing pending')

  await api.askToJoin(cleo.token, circle)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press(' ')
  await expect(row(page, 'Ben')).toContainText('Section B')
  await expect(page.getByRole('region', { name: 'Asking to join' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Invitations' }).getByRole('listitem')).toHaveCount(2)
  await check(page, 'members')
  const edit = await actionOf(row(page, 'Ben'), 'Edit')
  await check(page, 'actions of a member', [320])
  await edit.click()
  await expect(page.getByRole('dialog', { name: 'Edit member' })).toBeVisible()
  await check(page, 'a member', [320])
  await page.keyboard.press('Escape')
  await expect(row(page, 'Ben').getByRole('button', { name: 'Actions' })).toBeFocused()
  await page.getByRole('button', { name: 'Upload a roster' }).click()
  await expect(page.getByLabel('File')).toBeVisible()
  await check(page, 'a roster', [320])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByRole('textbox', { name: 'Uses' }).fill('none')
  await page.getByRole('button', { name: 'Create link' }).click()
  await expect(page.getByText('A whole number from 1 to 100,000.')).toBeVisible()
  await check(page, 'an invitation to make', [320])
  await page.getByRole('textbox', { name: 'Uses' }).fill('3')
  await page.getByRole('button', { name: 'Create link' }).click()
  await expect(page.getByRole('dialog', { name: 'Your invitation' })).toBeVisible()
  await check(page, 'its link', [320])
  await page.getByRole('button', { name: 'Done' }).click()

  await tab('Settings').click()
  await expect(page.getByRole('button', { name: 'Save' })).toBeVisible()
  await check(page, 'settings')
  await page.setViewportSize({ width: 320, height: 700 })
  await page.reload()
  await expect(tab('Settings')).toBeInViewport({ ratio: 1 })
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.getByRole('button', { name: 'Hand over' }).click()
  await expect(page.getByRole('radio')).toHaveCount(1)
  await check(page, 'handing over', [320])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Archive circle' }).click()
  await page.getByRole('button', { name: 'Archive', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Bring it back' })).toBeVisible()
  await check(page, 'an archived circle')
})
