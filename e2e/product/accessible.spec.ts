import { signIn } from '../support/api'
import { check, phone } from '../support/accessible'
import { expectToast, login, row, uniqueWord } from '../support/product'
import { expect, test, type Page } from '../support/test'

/** axe on every page, dialog and state, in both themes and three widths; and nothing to scroll sideways. */

test.use(phone)

/** A toast goes when its bar, an animation of five seconds, has run out. */
async function stopToastTimers(page: Page): Promise<void> {
  const stopped = await page.evaluate(() => {
    const timers = document.getAnimations().filter((each) => each.effect?.getTiming().duration === 5000)
    for (const timer of timers) timer.pause()
    return timers.length
  })
  expect(stopped).toBe(1)
}

test('the pages that all see', async ({ page, api, consoleErrors }) => {
  consoleErrors.allow(/404/)
  const { token } = await api.user('Ada')
  for (const level of ['easy', 'medium', 'hard']) await api.assignment(token, { title: uniqueWord(), level })
  for (const path of [
    '/',
    '/assignments',
    `/assignments?search=${uniqueWord()}`,
    '/about-Us',
    '/no/such/page',
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await check(page, path)
  }
})

test('the pages that sign in', async ({ page }) => {
  for (const path of [
    '/auth/login',
    '/auth/register',
    '/auth/forgot',
    '/auth/reset?token=x',
    '/auth/verify?token=x',
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await check(page, path)
  }
})

test('a visitor’s open question, details, form errors and menu', async ({ page, api }) => {
  const { token } = await api.user('Ada')
  const word = uniqueWord()
  await api.assignment(token, { title: word })
  await page.goto('/')
  await page.getByRole('button', { name: /\?$/ }).first().click()
  await check(page, 'an open question')
  await page.goto(`/assignments?search=${word}`)
  await page.getByRole('link', { name: 'Details' }).first().click()
  await expect(page.getByRole('button', { name: 'Take Assignment' })).toBeVisible()
  await check(page, 'details')
  await page.goto('/auth/register')
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await expect(page.getByText('Choose a password.')).toBeVisible()
  await check(page, 'register with errors')
  await page.getByRole('button', { name: 'Menu' }).click()
  await check(page, 'the open menu', [320])
})

test('the pages of a user', async ({ page, api, consoleErrors }) => {
  consoleErrors.allow(/503/)
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const id = await api.assignment(ada.token, { title: uniqueWord() })
  const graded = await api.submission(ben.token, id)
  await api.grade(ada.token, graded, 19, 'Well done.')
  await api.submission(ben.token, id, 'Once more')
  await login(page, ben)
  await stopToastTimers(page)
  await check(page, 'a toast')
  await expectToast(page, `${ben.name} your Login successfull`)
  for (const path of ['/pending-assignments', '/attemded-assignments']) {
    await page.goto(path)
    await expect(page.getByRole('table')).toBeVisible()
    await check(page, path)
  }
  await page.goto('/profile')
  await expect(page.getByText('This device', { exact: true })).toBeVisible()
  await check(page, '/profile')
  await page.getByRole('button', { name: 'Delete account' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await check(page, 'delete account')
  await page.route('**/api/submissions?**', (route) =>
    route.fulfill({ status: 503, json: { detail: 'Away.' } }),
  )
  // To an address that makes no sense, the first HTML brings no rows.
  await page.goto('/pending-assignments?page=none')
  await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible()
  await check(page, 'a failed fetch')
})

test('forms and dialogs of a user', async ({ page, api }) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const id = await api.assignment(ada.token, { title: uniqueWord() })
  await signIn(page, ben, '/create-assignment')
  await page.getByRole('button', { name: 'Create Assignment' }).click()
  await expect(page.getByText('Give it a title.')).toBeVisible()
  await check(page, 'the form with errors')
  await page.getByRole('button', { name: 'Open the calendar' }).click()
  await expect(page.getByRole('grid')).toBeVisible()
  await check(page, 'the calendar')
  await page.goto(`/assignment/${id}`)
  await page.getByRole('button', { name: 'Take Assignment' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await check(page, 'submit')
  await page.getByRole('button', { name: 'Submit', exact: true }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await check(page, 'an error box')
  await page.getByRole('button', { name: 'OK' }).click()
  await page.getByRole('textbox', { name: 'Google Docs Link' }).fill('https://docs.google.com/document/d/1')
  await page.getByRole('button', { name: 'Submit', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Success!' })).toBeVisible()
  await check(page, 'handed in, said')
  await page.getByRole('button', { name: 'OK' }).click()
  await expect(page.getByText('Handed in')).toBeVisible()
  await check(page, 'handed in')
  await page.goto(`/assignment/update/${id}`)
  await expect(page.getByRole('alertdialog', { name: 'Oops...' })).toBeVisible()
  await check(page, 'not your assignment')
})

test('the pages of a grader', async ({ page, api }) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const word = uniqueWord()
  const id = await api.assignment(ada.token, { title: word })
  await api.submission(ben.token, id, 'A long note. '.repeat(150))
  await signIn(page, ada, '/pending-assignments')
  await row(page, word).getByRole('button', { name: 'Give Mark' }).click()
  await expect(page.getByRole('dialog').getByText('Say what you think.')).toBeVisible()
  await page.getByLabel('Marks').fill('12')
  await check(page, 'grade')
  await page.getByRole('button', { name: 'Show all' }).click()
  await check(page, 'grade with a long note')
  await page.getByLabel('Marks').fill('')
  await page.getByRole('button', { name: 'Submit', exact: true }).click()
  await expect(page.getByLabel('Marks')).toHaveAttribute('aria-invalid', 'true')
  await check(page, 'grade with an error')
  await page.getByLabel('Marks').fill('12')
  await page.getByRole('button', { name: 'Submit', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Success' })).toBeVisible()
  await check(page, 'graded')
  await page.goto('/assignments')
  await expect(page.getByRole('article').first()).toBeVisible()
  await check(page, "a user's list")
})

test('a discussion, long and in many directions', async ({ page, api }) => {
  const [ada, bob] = [await api.user('Ada'), await api.user('Bob')]
  const id = await api.assignment(ada.token, { title: uniqueWord() })
  await api.comment(ada.token, id, '## To begin with\n\n#### Below\n\nمرحبا\n\n# At last')
  const thread = await api.comment(
    bob.token,
    id,
    `# A heading\n\n${'word '.repeat(200)}\n\n- [x] done\n- [ ] not yet`,
  )
  await api.comment(ada.token, id, 'مرحبا بكم، هذا تعليق طويل بعض الشيء.\n\n> اقتباس', thread)
  await api.comment(
    ada.token,
    id,
    `${'x'.repeat(300)}\n\n\`\`\`js\nconst a = ${'1 + '.repeat(80)}1\n\`\`\``,
    thread,
  )
  await api.comment(bob.token, id, `|${'a|'.repeat(12)}\n|${'-|'.repeat(12)}\n|${'b|'.repeat(12)}`)
  const gone = await api.comment(ada.token, id, 'Deleted')
  await api.comment(bob.token, id, 'An answer to it', gone)
  await api.deleteComment(ada.token, gone)
  await signIn(page, ada, `/assignment/${id}`)
  const discussion = page.getByRole('region', { name: 'Discussion' })
  await expect(discussion.getByText('This comment was deleted.')).toBeVisible()
  await check(page, 'a discussion')
  await discussion.getByRole('button', { name: 'Reply' }).first().click()
  await discussion.getByRole('textbox', { name: 'Write a reply' }).pressSequentially('@')
  await expect(page.getByRole('listbox', { name: 'People to mention' })).toBeVisible()
  await check(page, 'people to mention', [320])
  await discussion.getByRole('article').nth(1).scrollIntoViewIfNeeded()
  await page.keyboard.press('Escape')
  await discussion.getByRole('tab', { name: 'Preview' }).first().click()
  await check(page, 'the preview', [320])
})

test('states, results and the dashboard', async ({ page, api }) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  await signIn(page, ben, '/dashboard')
  await expect(page.getByRole('link', { name: 'Take your first one' })).toBeVisible()
  await check(page, 'the dashboard of a newcomer')

  const word = uniqueWord()
  const ids = []
  for (const level of ['easy', 'medium', 'hard'])
    ids.push(await api.assignment(ada.token, { title: word, level }))
  for (const [n, id] of ids.entries()) {
    await api.grade(
      ada.token,
      await api.submission(ben.token, id),
      4 + 5 * n,
      'Read it once more. '.repeat(20),
    )
  }
  const [first = ''] = ids
  await api.submission(ben.token, first)
  await api.remind(ben.token, ids[1] ?? '')
  await page.goto('/dashboard')
  await expect(page.getByRole('img', { name: /^Marks/ })).toHaveCount(2)
  await check(page, 'the dashboard')
  for (const button of await page.getByRole('button', { name: 'Show as table' }).all()) await button.click()
  await expect(page.getByRole('table')).toHaveCount(2)
  await check(page, 'the dashboard, as tables')

  await page.goto(`/assignments?search=${word}`)
  await expect(page.getByText('14 of 20', { exact: true })).toBeVisible()
  await check(page, 'a list with badges')
  await page.goto('/assignments?state=mine')
  await expect(page.getByText('No assignments available.')).toBeVisible()
  await check(page, 'a choice that is empty')
  await page.goto(`/assignment/${ids[2]}`)
  await expect(page.getByText('You got 14 of 20')).toBeVisible()
  await check(page, 'what one got')

  await page.context().clearCookies()
  await signIn(page, ada, `/assignment/${first}`)
  await expect(page.getByRole('region', { name: 'Results' }).getByRole('table')).toBeVisible()
  await check(page, 'results')
})
