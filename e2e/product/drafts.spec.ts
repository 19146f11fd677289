import { signIn, type User } from '../support/api'
import { expectToast, goTo, uniqueWord } from '../support/product'
import { expect, test, type Page } from '../support/test'

/** Text entered into a form is there when the user returns, until it is sent. */

const rubric = {
  criteria: [{ title: 'Argument', levels: [0, 10].map((marks) => ({ label: `Level ${marks}`, marks })) }],
}

/** Leaves the page by a link, and comes back by Back. */
async function leaveAndReturn(page: Page): Promise<void> {
  await goTo(page, 'Assignments')
  await expect(page).toHaveURL('/assignments')
  await page.goBack()
}

test('the profile', async ({ page, api }) => {
  await signIn(page, await api.user('Ada'), '/profile')
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  // The script has come.
  await expect(page.getByRole('combobox', { name: 'Time zone' })).toBeVisible()
  await name.fill('Ada Lovelace')
  await leaveAndReturn(page)
  await expect(name).toHaveValue('Ada Lovelace')
  await page.reload()
  await expect(name).toHaveValue('Ada Lovelace')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expectToast(page, 'Profile saved')
  await name.fill('')
  await page.reload()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Enter a name of up to 100 characters.')).toBeVisible()
})

test('the settings of notifications', async ({ page, api }) => {
  await signIn(page, await api.user('Ada'), '/profile')
  const days = page.getByRole('textbox', { name: 'Remind me, days before' })
  const byEmail = page.getByRole('checkbox', { name: 'A user hands in work for my assignment: by email' })
  const before = await byEmail.isChecked()
  await days.fill('5')
  await byEmail.setChecked(!before)
  await leaveAndReturn(page)
  await expect(days).toHaveValue('5')
  await expect(byEmail).toBeChecked({ checked: !before })
  await page.getByRole('button', { name: 'Update notifications' }).click()
  await expectToast(page, 'Notifications saved')
  await page.evaluate(() => localStorage.clear())
  await page.reload()
  await expect(days).toHaveValue('5')
  await expect(byEmail).toBeChecked({ checked: !before })
})

test('a report, and sample work', async ({ page, api }) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const id = await api.assignment(ada.token, { title: uniqueWord(), marks: 10, reviewsNeeded: 2, rubric })
  await api.comment(ben.token, id, 'Buy my watches.')
  await signIn(page, ada, `/assignment/${id}`)
  const report = page
    .getByRole('article')
    .filter({ hasText: 'watches' })
    .getByRole('button', { name: 'Report' })
  await report.click()
  const why = page.getByRole('dialog', { name: 'Report' }).getByRole('textbox', { name: 'Reason' })
  await why.fill('It is an advertisement.')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await report.click()
  await expect(why).toHaveValue('It is an advertisement.')
  await page.getByRole('dialog').getByRole('button', { name: 'Report' }).click()
  await expectToast(page, 'Thank you. A moderator will look at it.')
  await report.click()
  await expect(why).toHaveValue('')
  await page.keyboard.press('Escape')

  const add = page.getByRole('button', { name: 'Add an exemplar' })
  await add.click()
  const sample = page.getByRole('dialog', { name: 'Exemplar' })
  await sample.getByRole('textbox', { name: 'Reason' }).fill('It has all it takes.')
  await sample.getByRole('textbox', { name: 'Google Docs Link' }).fill('ftp://docs.google.com')
  await sample.getByRole('button', { name: 'Submit' }).click()
  await expect(
    sample.getByText('The document link must be a full web address that starts with http:// or https://.'),
  ).toBeVisible()
  await sample.getByRole('button', { name: 'Cancel' }).click()
  await add.click()
  await expect(sample.getByRole('textbox', { name: 'Reason' })).toHaveValue('It has all it takes.')
})

test('a reply, an appeal and a decision about a mark', async ({ page, newPerson, api }) => {
  const [ada, ben, cleo, dan]: [User, User, User, User] = [
    await api.user('Ada'),
    await api.user('Ben'),
    await api.user('Cleo'),
    await api.user('Dan'),
  ]
  const id = await api.assignment(ada.token, { title: uniqueWord(), marks: 10, reviewsNeeded: 2, rubric })
  const submission = await api.submission(ben.token, id)
  await api.reviewByLevels(cleo.token, id, [1])
  await api.reviewByLevels(dan.token, id, [1])
  await signIn(page, ben, `/submission/${submission}/mark`)
  const review = page.getByRole('listitem').filter({ hasText: 'Review A' })
  await review.getByRole('button', { name: 'Reply' }).click()
  await review.getByRole('textbox', { name: 'Reply' }).fill('That helps.')
  await leaveAndReturn(page)
  await review.getByRole('button', { name: 'Reply' }).click()
  await expect(review.getByRole('textbox', { name: 'Reply' })).toHaveValue('That helps.')

  await page.getByRole('button', { name: 'Appeal' }).click()
  const reason = page.getByRole('dialog').getByRole('textbox', { name: 'Reason' })
  await reason.fill('Page two.')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Appeal' }).click()
  await expect(reason).toHaveValue('Page two.')

  const creator = await newPerson()
  await signIn(creator, ada, `/assignment/${id}`)
  const decide = creator
    .getByRole('region', { name: 'Results' })
    .getByRole('button', { name: 'Ask for another look' })
  await decide.click()
  const dialog = creator.getByRole('dialog', { name: 'Ask for another look' })
  await dialog.getByRole('radio', { name: 'I set the mark' }).check()
  await dialog.getByRole('radio', { name: 'Level 0' }).check()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await decide.click()
  await expect(dialog.getByRole('radio', { name: 'I set the mark' })).toBeChecked()
  await expect(dialog.getByRole('radio', { name: 'Level 0' })).toBeChecked()
})

test('an email address for a new password', async ({ page }) => {
  await page.goto('/auth/forgot')
  const email = page.getByRole('textbox', { name: 'Email' })
  await expect(page.getByRole('button', { name: 'Send the link' })).toBeEnabled()
  await email.fill('ada@example.org')
  await page.reload()
  await expect(email).toHaveValue('ada@example.org')
})

test('another tab, a closed tab, and signing out', async ({ page, api }) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const title = uniqueWord()
  const id = await api.assignment(ada.token, { title })
  await api.submission(ben.token, id)
  await signIn(page, ada, `/assignment/${id}`)
  const boxIn = (tab: Page) => tab.getByRole('textbox', { name: 'Write a comment' })
  await boxIn(page).fill('A long comment.')

  const second = await page.context().newPage()
  await second.goto(`/assignment/${id}`)
  await expect(boxIn(second)).toHaveValue('A long comment.')
  await boxIn(second).press('Control+End')
  await boxIn(second).pressSequentially(' And more.')
  await expect(boxIn(page)).toHaveValue('A long comment. And more.')
  await boxIn(page).press('Control+End')
  await boxIn(page).pressSequentially(' Here, too.')
  await expect(boxIn(second)).toHaveValue('A long comment. And more. Here, too.')
  await second.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(boxIn(second)).toHaveValue('')
  await expect(boxIn(page)).toHaveValue('')

  await second.goto('/pending-assignments')
  const mark = async (tab: Page) => {
    await tab.getByRole('row').filter({ hasText: title }).getByRole('button', { name: 'Give Mark' }).click()
    return tab.getByRole('dialog', { name: 'Mark Assignment' }).getByRole('textbox', { name: 'Feedback' })
  }
  await (await mark(second)).fill('A long review.')
  await second.close()
  await page.goto('/pending-assignments')
  const feedback = await mark(page)
  await expect(feedback).toHaveValue('A long review.')
  const third = await page.context().newPage()
  await third.goto('/pending-assignments')
  const there = await mark(third)
  await expect(there).toHaveValue('A long review.')
  await there.fill('A better review.')
  await expect(feedback).toHaveValue('A better review.')
  await third.close()

  await page.goto('/')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expectToast(page, 'Logout successful')
  expect(
    await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('draft'))),
  ).toEqual([])
})
