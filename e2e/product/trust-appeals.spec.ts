import { signIn, type Api, type User } from '../support/api'
import { answerBox, expectToast, row, uniqueWord } from '../support/product'
import { expect, test, type Page } from '../support/test'

/** After a mark: an appeal settled by two more reviews, a reopening, and reviews in Markdown. */

const results = (page: Page) => page.getByRole('region', { name: 'Results' })
const history = (page: Page) =>
  page.getByRole('region', { name: 'History' }).getByRole('listitem').filter({ hasText: 'of 20' })

const level = (label: string, marks: number) => ({ label, marks })
const rubric = {
  criteria: ['Argument', 'Language'].map((title) => ({
    title,
    levels: [level('Weak', 0), level('Half', 5), level('Strong', 10)],
  })),
}

/** Ada's assignment with a rubric, and Ben's submission for it with two reviews. */
async function reviewedByTwo(api: Api, feedback: [string, string]) {
  const people = ['Ada', 'Ben', 'Cleo', 'Dan', 'Eve', 'Fay', 'Gil', 'Hal'].map((name) => api.user(name))
  const [ada, ben, cleo, dan, ...others] = (await Promise.all(people)) as [User, User, User, User, ...User[]]
  const title = uniqueWord()
  const id = await api.assignment(ada.token, { title, reviewsNeeded: 2, rubric })
  const submission = await api.submission(ben.token, id)
  await api.reviewByLevels(cleo.token, id, [2, 2], feedback[0])
  await api.reviewByLevels(dan.token, id, [2, 2], feedback[1])
  return { ada, ben, others, title, id, submission }
}

async function sayWhy(page: Page, name: string, reason: string, said: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name })
  await dialog.getByRole('textbox', { name: 'Reason' }).fill(reason)
  await dialog.getByRole('button', { name: 'Submit' }).click()
  await expectToast(page, said)
}

test('two reviewers settle an appeal, two more a reopening, and open pages follow', async ({
  page,
  newPerson,
  api,
}) => {
  const { ada, ben, others, title, id, submission } = await reviewedByTwo(api, ['Good.', 'Fine.'])
  const [eve, fay, gil, hal] = others as [User, User, User, User]
  await signIn(page, ada, `/assignment/${id}`)
  const result = results(page).getByRole('row').filter({ hasText: ben.email })
  await expect(result.getByText('completed')).toBeVisible()
  const explained = await page.context().newPage()
  await explained.goto(`/submission/${submission}/mark`)
  await expect(history(explained)).toHaveCount(1)

  const student = await newPerson()
  await signIn(student, ben, `/submission/${submission}/mark`)
  await expect(history(student)).toHaveText([/20 of 20 All the requested reviews had been received\./])
  await student.getByRole('button', { name: 'Appeal' }).click()
  await sayWhy(
    student,
    'Appeal',
    'Nobody read page two.',
    'Two new reviewers will look at it. Your mark stands until then.',
  )
  for (const open of [student, explained, result]) await expect(open.getByText('Under appeal')).toBeVisible()

  // The first of them takes it from the list, and does not learn of the appeal.
  const desk = await newPerson()
  await signIn(desk, eve, '/pending-assignments')
  await row(desk, title).getByRole('button', { name: 'Review next' }).click()
  const dialog = desk.getByRole('dialog', { name: 'Mark Assignment' })
  for (const name of ['Argument', 'Language'])
    await dialog.getByRole('group', { name }).getByRole('radio', { name: 'Half' }).check()
  await expect(dialog).not.toContainText(/appeal/i)
  await dialog.getByRole('button', { name: 'Submit' }).click()
  await answerBox(desk, 'Success', 'Assignment marked successfully!')
  await expect(student.getByText('Under appeal')).toBeVisible()
  await api.reviewByLevels(fay.token, id, [1, 2], 'Page two is good.')
  for (const open of [student, explained]) {
    await expect(history(open)).toHaveText([
      /All the requested reviews had been received/,
      /of 20 After an appeal\./,
    ])
    await expect(open.getByText('Under appeal')).toHaveCount(0)
    await expect(open.getByRole('heading', { name: 'Review D' })).toBeVisible()
  }
  await expect(result.getByText('Under appeal')).toHaveCount(0)
  await expect(student.getByRole('button', { name: 'Appeal' })).toHaveCount(0)

  await result.getByRole('button', { name: 'Ask for another look' }).click()
  await sayWhy(
    page,
    'Ask for another look',
    'The reviews are far from each other.',
    'Two new reviewers will look at it. The mark stands until then.',
  )
  for (const open of [student, explained, result])
    await expect(open.getByText('Reopened', { exact: true })).toBeVisible()
  await api.reviewByLevels(gil.token, id, [2, 2])
  await api.reviewByLevels(hal.token, id, [2, 2])
  for (const open of [student, explained]) {
    await expect(history(open).nth(2)).toContainText('After another look.')
    await expect(open.getByText('Reopened', { exact: true })).toHaveCount(0)
  }
  await student.getByRole('button', { name: 'Recompute' }).click()
  await expect(student.getByText(/It agrees\.$/)).toBeVisible()
})

/** Appeals in a circle where every other member has reviewed: the creator decides at once. */
async function appealsIn(api: Api, many: number) {
  const people = ['Ada', 'Ben', 'Cleo', 'Dan'].map((name) => api.user(name))
  const [ada, ben, cleo, dan] = (await Promise.all(people)) as [User, User, User, User]
  const circleId = await api.circle(ada.token, { name: uniqueWord() })
  const link = await api.invite(ada.token, circleId)
  for (const { token } of [ben, cleo, dan]) await api.join(token, link)
  const ids: string[] = []
  for (let n = 0; n < many; n++) {
    const id = await api.assignment(ada.token, { title: uniqueWord(), circleId, reviewsNeeded: 2, rubric })
    const submission = await api.submission(ben.token, id)
    await api.reviewByLevels(cleo.token, id, [1, 2])
    await api.reviewByLevels(dan.token, id, [1, 2])
    await api.appeal(ben.token, submission, 'The reviews leave out page two.')
    ids.push(id)
  }
  return { ada, link, ids }
}

test('an appeal that waits for the creator takes three decisions, and each is accepted', async ({
  page,
  api,
}) => {
  const { ada, link, ids } = await appealsIn(api, 3)
  const [kept, changed, asked] = ids as [string, string, string]
  const result = results(page).getByRole('row').last()
  const actions = result.getByRole('button')
  await signIn(page, ada, `/assignment/${kept}`)
  await expect(actions).toHaveText(['Open', 'Keep 15', 'Change mark'])
  await actions.filter({ hasText: 'Keep 15' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('link', { name: 'View Document' })).toBeVisible()
  await expect(dialog.getByRole('spinbutton')).toHaveCount(0)
  await expect(
    dialog.getByText('No other member of the circle can review it', { exact: false }),
  ).toBeVisible()
  await sayWhy(page, 'Keep 15', 'Page two was read.', 'The submitter sees the mark and your reason.')
  await expect(result.getByText('completed')).toBeVisible()

  // The levels are those of the reviews until the creator chooses others.
  await page.goto(`/assignment/${changed}`)
  await actions.filter({ hasText: 'Change mark' }).click()
  const radio = (criterion: string, label: string) =>
    dialog.getByRole('group', { name: criterion }).getByRole('radio', { name: label })
  await expect(radio('Argument', 'Half')).toBeChecked()
  await expect(radio('Language', 'Strong')).toBeChecked()
  await radio('Argument', 'Strong').check()
  await sayWhy(page, 'Change mark', 'Page two is good.', 'The submitter sees the mark and your reason.')
  await expect(result.getByText('20', { exact: true })).toBeVisible()
  await result.getByRole('link', { name: 'How it was made' }).click()
  await expect(page.getByRole('main')).toContainText(
    /set this mark: Page two is good\.\s*Argument\s*Strong 10/,
  )

  const newcomers = [await api.user('Eve'), await api.user('Fay')] as const
  await api.join(newcomers[0].token, link)
  await page.goto(`/assignment/${asked}`)
  await expect(actions).toHaveText(['Open', 'Keep 15', 'Change mark', 'One more reviewer'])
  await api.join(newcomers[1].token, link)
  await page.reload()
  await actions.filter({ hasText: 'Two more reviewers' }).click()
  await sayWhy(
    page,
    'Two more reviewers',
    'Others see more.',
    'Two new reviewers will look at it. The mark stands until then.',
  )
  await expect(actions).toHaveText(['Open', 'Keep 15', 'Change mark'])
})

test('reviews are Markdown wherever they are shown, and never run', async ({ page, newPerson, api }) => {
  const hostile =
    '<script>window.pwned=1</script>\n\n<img src=x onerror="window.pwned=1">\n\n[press](javascript:window.pwned=1)'
  const { ada, ben, id, submission, title } = await reviewedByTwo(api, [hostile, '**Clear**, *short*'])
  await signIn(page, ben, `/submission/${submission}/mark`)
  const student = page
  await expect(student.getByRole('heading', { name: 'Review B' })).toBeVisible()
  const creator = await newPerson()
  await signIn(creator, ada, `/assignment/${id}`)
  const list = await student.context().newPage()
  await list.goto('/attemded-assignments')
  const shown = [
    student.getByRole('main'),
    results(creator).getByRole('row').filter({ hasText: ben.email }),
    row(list, title),
  ]
  for (const place of shown) {
    await expect(place.locator('.rendered strong').filter({ hasText: 'Clear' })).toHaveCount(1)
    await expect(place.locator('.rendered').first()).toContainText(/<script>|Clear/)
    expect(await place.locator('.rendered').allInnerTexts()).toEqual(
      expect.arrayContaining([expect.stringContaining('<script>window.pwned=1</script>')]),
    )
    await expect(place.locator('.rendered :is(script, img, a)')).toHaveCount(0)
  }
  for (const open of [student, creator, list])
    expect(await open.evaluate(() => 'pwned' in window)).toBe(false)
})

test('a rubric is removed before the first submission', async ({ page, api }) => {
  const ada = await api.user('Ada')
  const id = await api.assignment(ada.token, { title: uniqueWord(), reviewsNeeded: 2, rubric })
  await signIn(page, ada, `/assignment/update/${id}`)
  const remove = page.getByRole('button', { name: 'Remove criterion' })
  await expect(remove).toHaveCount(2)
  await remove.last().click()
  await remove.click()
  await expect(page.getByRole('button', { name: 'Add a criterion' })).toBeFocused()
  await page.getByLabel('Marks', { exact: true }).fill('30')
  await page.getByRole('button', { name: 'Update Assignment' }).click()
  await answerBox(page, 'Are you sure?', 'You Update this assignment')
  await answerBox(page, 'Updated', null)
  await page.goto(`/assignment/${id}`)
  await expect(page.getByRole('heading', { name: 'Rubric' })).toHaveCount(0)
  await expect(page.getByText('30', { exact: true }).first()).toBeVisible()
})
