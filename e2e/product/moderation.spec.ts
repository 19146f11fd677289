import { signIn, type User } from '../support/api'
import { mailedLink } from '../support/mails'
import { answerBox, expectToast, row, uniqueWord } from '../support/product'
import { test as base, expect, serverWith, type Page } from '../support/test'

/** Reports, and moderators' decisions on them. */

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

async function report(page: Page, of: ReturnType<Page['getByRole']>, reason: string): Promise<void> {
  await of.getByRole('button', { name: 'Report' }).click()
  const form = page.getByRole('dialog', { name: 'Report' })
  await form.getByRole('button', { name: 'Report' }).click()
  await expect(form.getByText('Say why.')).toBeVisible()
  await form.getByRole('textbox', { name: 'Reason' }).fill(reason)
  await form.getByRole('button', { name: 'Report' }).click()
  await expectToast(page, 'Thank you. A moderator will look at it.')
  await expect(form).toHaveCount(0)
}

test('a review and a comment are reported; a moderator hides them, of the review learning no name', async ({
  page,
  api,
  newPerson,
  server,
}) => {
  const names = ['Ada', 'Benedikt', 'Cleopatra', 'Daniela']
  const [ada, ben, cleo, dan] = (await Promise.all(names.map((name) => api.user(name)))) as [
    User,
    User,
    User,
    User,
  ]
  const title = uniqueWord()
  const of = await api.assignment(ada.token, { title, marks: 20, reviewsNeeded: 2, rubric })
  const work = await api.submission(ben.token, of)
  await api.reviewByLevels(cleo.token, of, [1], 'A fine essay.')
  await api.reviewByLevels(dan.token, of, [1], 'You are **stupid**.')
  await api.comment(ada.token, of, 'Buy my book.')

  const moderator = await newPerson()
  await signIn(moderator, await api.register({ name: 'Mo', email, password: 'Circle1' }), '/profile')
  await expect.poll(() => mailedLink(server.data, email, 'verify')).toContain('token=')
  await moderator.goto(mailedLink(server.data, email, 'verify'))
  await moderator.getByRole('button', { name: 'Confirm' }).click()
  await expect(moderator.getByText('Thank you, your address is confirmed.')).toBeVisible()

  await signIn(page, ben, `/submission/${work}/mark`)
  const rude = page.getByRole('listitem').filter({ hasText: 'You are stupid.' })
  await report(page, rude, 'So rude')
  await page.goto(`/assignment/${of}`)
  const comment = page.getByRole('article').filter({ hasText: 'Buy my book.' })
  await report(page, comment, 'It is an advertisement')

  await moderator.goto('/')
  for (const width of [1280, 1920]) {
    await moderator.setViewportSize({ width, height: 800 })
    const links = moderator.getByRole('navigation', { name: 'Main' }).getByRole('link')
    const tops = await links.evaluateAll((all) => all.map((link) => link.getBoundingClientRect().top))
    expect(new Set(tops).size, `rows of links at ${width} px`).toBe(1)
  }
  await moderator.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Moderation' }).click()
  const review = moderator.getByRole('article', { name: 'So rude' })
  await expect(review.getByText('stupid', { exact: true })).toHaveJSProperty('tagName', 'STRONG')
  await expect(review.getByText('Strong', { exact: true })).toBeVisible()
  for (const secret of [ben, cleo, dan].flatMap(({ name, email: address }) => [name, address])) {
    await expect(moderator.getByRole('main')).not.toContainText(secret)
  }
  await expect(moderator.getByRole('article', { name: 'It is an advertisement' })).toContainText('Ada')
  for (const reason of ['So rude', 'It is an advertisement']) {
    const reported = moderator.getByRole('article', { name: reason })
    await reported.getByRole('button', { name: 'Hide' }).click()
    const dialog = moderator.getByRole('dialog', { name: 'Hide' })
    await expect(
      dialog.getByText('Only its author will see it, with the reason. You can restore it under Decisions.'),
    ).toBeVisible()
    await dialog.getByLabel('Reason').fill(`Against the rules: ${reason}`)
    await dialog.getByRole('button', { name: 'Hide' }).click()
    await expect(reported).toHaveCount(0)
  }
  await expect(moderator.getByText('No reports. All is well.')).toBeVisible()

  await expect(comment).toHaveCount(0)
  await page.goto(`/submission/${work}/mark`)
  await expect(page.getByText('Hidden by a moderator')).toBeVisible()
  await expect(page.getByText('A fine essay.')).toBeVisible()
  await expect(page.getByText('stupid')).toHaveCount(0)
  await page.goto('/attemded-assignments')
  await expect(row(page, title)).toContainText('completed')

  // The decisions stand with their reasons, name no reviewer, and can be undone.
  const decisions = moderator.getByRole('region', { name: 'Decisions' })
  await expect(decisions.getByRole('listitem')).toHaveCount(2)
  for (const secret of [ben, cleo, dan].flatMap(({ name, email: address }) => [name, address])) {
    await expect(decisions).not.toContainText(secret)
  }
  const hid = decisions.getByRole('listitem').filter({ hasText: 'It is an advertisement' })
  await expect(hid).toContainText(`${email} hid a comment · ${title}`)
  await hid.getByRole('button', { name: 'Restore' }).click()
  await answerBox(moderator, 'Restore it?', null, 'Restore')
  await expectToast(moderator, 'Restored')
  await page.goto(`/assignment/${of}`)
  await expect(comment).toHaveCount(1)
})

test('the notification of a hidden comment leads its author to it, with the reason', async ({
  page,
  api,
  newPerson,
}) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const title = uniqueWord()
  const circle = await api.circle(ada.token, { name: `Readers ${title}` })
  await api.join(ben.token, await api.invite(ada.token, circle))
  const of = await api.assignment(ada.token, { title, circleId: circle })
  const comment = await api.comment(ben.token, of, 'Buy my book.')
  await api.reportComment(ada.token, comment, 'An advertisement')
  await signIn(page, ada, `/circle/${circle}?tab=reports`)
  await page.getByRole('button', { name: 'Hide' }).click()
  const dialog = page.getByRole('dialog', { name: 'Hide' })
  await dialog.getByLabel('Reason').fill('Not about the work.')
  await dialog.getByRole('button', { name: 'Hide' }).click()
  await expectToast(page, 'Hidden')

  const bens = await newPerson()
  await signIn(bens, ben, '/notifications')
  await bens
    .getByRole('main')
    .getByRole('link', { name: /has hidden something of yours/ })
    .click()
  const hidden = bens.getByRole('region', { name: 'Your hidden comment' })
  await expect(hidden).toBeFocused()
  await expect(hidden).toContainText('This comment is hidden. Only you can read it.')
  await expect(hidden).toContainText('Reason: Not about the work.')
  await expect(hidden).toContainText('Buy my book.')

  // Shown again, it stands in the discussion alone.
  await page.getByRole('button', { name: 'Restore' }).click()
  await answerBox(page, 'Restore it?', null, 'Restore')
  await expect(bens.getByRole('article').filter({ hasText: 'Buy my book.' })).toBeVisible()
  await expect(hidden).toHaveCount(0)
})

test('for others the page does not exist', async ({ page, api, consoleErrors }) => {
  consoleErrors.allow(/40[34]/)
  await signIn(page, await api.user('Ada'), '/')
  const response = await page.goto('/moderation')
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1, name: 'Error !Page not found' })).toBeVisible()
  await expect(page).toHaveTitle('Error !Page not found')
})
