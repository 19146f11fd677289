import { signIn } from '../support/api'
import {
  actionOf,
  answerBox,
  expectToast,
  fillAssignment,
  fillRegistration,
  newPerson as aPerson,
  row,
  uniqueWord,
} from '../support/product'
import { expect, test, type Page } from '../support/test'

/** Every action is done once, however often its button or Enter is pressed while it runs. */

/** What is sent to the server from now on, each change held back until a second press has surely come. */
async function watchChanges(page: Page): Promise<(change: RegExp) => void> {
  const sent: string[] = []
  await page.route('**/api/**', async (route) => {
    const request = route.request()
    // The page reports its time zone by itself.
    if (request.method() !== 'GET' && !request.url().endsWith('/time-zone')) {
      sent.push(`${request.method()} ${new URL(request.url()).pathname}`)
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
    await route.fallback()
  })
  return (change) => {
    expect(
      sent.filter((one) => change.test(one)),
      String(change),
    ).toHaveLength(1)
    sent.length = 0
  }
}

async function enterTwice(page: Page, key = 'Enter'): Promise<void> {
  await Promise.all([page.keyboard.press(key), page.keyboard.press(key)])
}

test('registering and signing in', async ({ page }) => {
  const ada = aPerson('Ada')
  await page.goto('/auth/register')
  const once = await watchChanges(page)
  await fillRegistration(page, ada)
  await page.getByRole('button', { name: 'Register', exact: true }).dblclick()
  await expectToast(page, 'Ada your Register successfull')
  once(/auth\/register/)
  await page.getByRole('button', { name: 'Logout' }).dblclick()
  await expectToast(page, 'Logout successful')
  once(/auth\/logout/)
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill(ada.email)
  await page.getByLabel('Password', { exact: true }).fill(ada.password)
  await enterTwice(page)
  await expectToast(page, 'Ada your Login successfull')
  once(/auth\/login/)
})

test('creating, saving a rubric, handing in, withdrawing and marking', async ({ page, newPerson, api }) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  await signIn(page, ada, '/create-assignment')
  const once = await watchChanges(page)
  await page.getByRole('combobox', { name: 'Reviews needed' }).selectOption('2')
  await page.getByRole('button', { name: 'Add a criterion' }).click()
  await page.getByRole('textbox', { name: 'Criterion', exact: true }).fill('Argument')
  await page.getByRole('button', { name: 'Save this rubric' }).click()
  await page.getByRole('textbox', { name: 'Name of the rubric' }).fill('Essays')
  await enterTwice(page)
  await expectToast(page, 'Rubric saved')
  once(/POST .*rubrics/)
  await page.getByRole('combobox', { name: 'Reviews needed' }).selectOption('1')
  const title = uniqueWord()
  await fillAssignment(page, { title })
  await page.getByRole('button', { name: 'Create Assignment' }).dblclick()
  await expectToast(page, 'Assignment created successfully')
  once(/POST .*assignments/)

  const student = await newPerson()
  await signIn(student, ben, '/assignments')
  await student.getByRole('article', { name: title }).getByRole('link', { name: 'Details' }).click()
  const studentOnce = await watchChanges(student)
  const dialog = student.getByRole('dialog', { name: 'Submit Assignment' })
  for (const submit of [
    () => dialog.getByRole('button', { name: 'Submit' }).dblclick(),
    () => enterTwice(student),
  ]) {
    await student.getByRole('button', { name: 'Take Assignment' }).click()
    await dialog
      .getByRole('textbox', { name: 'Google Docs Link' })
      .fill('https://docs.google.com/document/d/1')
    await submit()
    await answerBox(student, 'Success!', 'Assignment submitted successfully!')
    studentOnce(/POST .*submissions/)
    await student.goto('/attemded-assignments')
    await row(student, title).getByRole('button', { name: 'Withdraw' }).dblclick()
    await student.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).dblclick()
    await expect(row(student, title)).toHaveCount(0)
    studentOnce(/DELETE .*submissions/)
    await student.goBack()
  }

  await api.submission(ben.token, new URL(student.url()).pathname.split('/').at(-1) ?? '')
  await page.goto('/pending-assignments')
  await row(page, title).getByRole('button', { name: 'Give Mark' }).click()
  const desk = page.getByRole('dialog', { name: 'Mark Assignment' })
  await desk.getByLabel('Marks').fill('7')
  await enterTwice(page, 'Control+Enter')
  await answerBox(page, 'Success', null)
  once(/PATCH .*submissions/)
})

test('a discussion', async ({ page, api }) => {
  const ada = await api.user('Ada')
  const id = await api.assignment(ada.token, { title: uniqueWord() })
  await signIn(page, ada, `/assignment/${id}`)
  const once = await watchChanges(page)
  const box = page.getByRole('textbox', { name: 'Write a comment' })
  await box.fill('Once.')
  await page.getByRole('button', { name: 'Comment', exact: true }).dblclick()
  await expect(box).toHaveValue('')
  await expect(page.getByText('Once.')).toBeVisible()
  once(/POST .*comments/)
  await box.fill('Twice?')
  await enterTwice(page, 'Control+Enter')
  await expect(box).toHaveValue('')
  await expect(page.getByText('Twice?')).toBeVisible()
  once(/POST .*comments/)
  await page.getByRole('button', { name: 'Close discussion' }).dblclick()
  await expect(page.getByText('This discussion is closed.')).toBeVisible()
  once(/PUT .*discussion/)
})

test('a circle', async ({ page, api }) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  await signIn(page, ada, '/circles')
  const once = await watchChanges(page)
  const name = uniqueWord()
  await page.getByRole('button', { name: 'New circle' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await enterTwice(page)
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  once(/POST .*circles/)
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  await page.getByRole('tab', { name: 'Members' }).click()
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByRole('button', { name: 'Create link' }).dblclick()
  await page.getByRole('button', { name: 'Done' }).click()
  once(/POST .*invitations/)
  await api.join(ben.token, await api.invite(ada.token, id, { role: 'member' }))
  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(`${name} again`)
  await enterTwice(page)
  await expect(page.getByRole('heading', { level: 1, name: `${name} again` })).toBeVisible()
  once(/PUT .*circle\//)
  await page.getByRole('tab', { name: 'Members' }).click()
  await (await actionOf(row(page, 'Ben'), 'Remove')).dblclick()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).dblclick()
  await expect(row(page, 'Ben')).toHaveCount(0)
  once(/DELETE .*members/)
})

/** Delays what the page reads, as on a slow line. */
async function slowLine(page: Page): Promise<() => number> {
  let sent = 0
  await page.route('**/api/**', async (route) => {
    if (route.request().method() === 'POST') sent++
    await new Promise((resolve) => setTimeout(resolve, 1000))
    await route.fallback()
  })
  return () => sent
}

// components/ui/form.test.tsx: the form is locked until the next page is there.
test('on a slow line a double click sends once, and success is said', async ({ page, api }) => {
  await signIn(page, await api.user('Ada'), '/create-assignment')
  const title = uniqueWord()
  await fillAssignment(page, { title })
  const sent = await slowLine(page)
  const create = page.getByRole('button', { name: /^Creat(?:e Assignment|ing…)$/ })
  await create.dblclick()
  await expectToast(page, 'Assignment created successfully')
  await expect(page).toHaveURL('/assignments')
  await expect(page.getByRole('article', { name: title })).toHaveCount(1)
  expect(sent()).toBe(1)
})

test('a press whose answer is lost is repeated, and nothing happens twice', async ({
  page,
  api,
  consoleErrors,
}) => {
  consoleErrors.allow(/ERR_FAILED/)
  const ada = await api.user('Ada')
  await signIn(page, ada, '/create-assignment')
  const title = uniqueWord()
  await fillAssignment(page, { title })
  /** The server gets it; its answer does not arrive. */
  const loseOne = (path: string) =>
    page.route(
      path,
      async (route) => {
        if (route.request().method() !== 'POST') return route.fallback()
        await route.fetch()
        return route.abort()
      },
      { times: 1 },
    )
  await loseOne('**/api/assignments')
  const create = page.getByRole('button', { name: 'Create Assignment' })
  await create.click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click()
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue(title)
  await create.click()
  await expectToast(page, 'Assignment created successfully')
  await page.goto(`/assignments?search=${title}`)
  await expect(page.getByRole('article', { name: title })).toHaveCount(1)

  await page.getByRole('article', { name: title }).getByRole('link', { name: 'Details' }).click()
  const box = page.getByRole('textbox', { name: 'Write a comment' })
  await box.fill('Only once.')
  await loseOne('**/comments')
  const comment = page.getByRole('button', { name: 'Comment', exact: true })
  await comment.click()
  await expect(page.getByText('The server cannot be reached.')).toBeVisible()
  await comment.click()
  await expect(box).toHaveValue('')
  await page.reload()
  await expect(page.getByText('Only once.')).toHaveCount(1)
  // The same words again are another comment.
  await box.fill('Only once.')
  await comment.click()
  await expect(page.getByText('Only once.')).toHaveCount(2)
})
