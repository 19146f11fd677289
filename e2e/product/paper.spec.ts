import { signIn, type User } from '../support/api'
import { uniqueWord } from '../support/product'
import { expect, test, type Page } from '../support/test'

/** On paper everything is open, nothing is cut, and controls are gone. */

/** The elements of the page that cut or hide a part of their text, and the controls that show. */
const faults = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = []
    const name = (element: Element) =>
      `${element.tagName} ${element.getAttribute('class') ?? ''} ${element.textContent.slice(0, 40)}`
    for (const element of document.querySelectorAll<HTMLElement>('body *')) {
      if (!element.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true })) continue
      const { overflowX, overflowY, position, clipPath, width, display } = getComputedStyle(element)
      if (
        clipPath !== 'none' ||
        width === '1px' ||
        display === 'inline' ||
        element.closest('svg, math, [aria-roledescription="carousel"]')
      )
        continue
      const cut =
        (overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1) ||
        (overflowY !== 'visible' && element.scrollHeight > element.clientHeight + 1)
      if (cut) found.push(`cut: ${name(element)}`)
      if (position === 'fixed' || position === 'sticky') found.push(`${position}: ${name(element)}`)
      if (element.matches('button:not(.link, .on-paper), input, select, textarea, nav, [role="tab"]'))
        found.push(`control: ${name(element)}`)
    }
    for (const details of document.querySelectorAll('details'))
      for (const part of details.children) if (!part.checkVisibility()) found.push(`closed: ${name(part)}`)
    return found
  })

async function expectWhole(page: Page, path: string, texts: string[]): Promise<void> {
  await page.emulateMedia({ media: 'screen' })
  await page.goto(path)
  for (const text of texts) await expect(page.getByText(text).first(), `${path}: ${text}`).toBeAttached()
  await expect(page.getByRole('progressbar')).toHaveCount(0)
  await page.emulateMedia({ media: 'print' })
  for (const width of [718, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    expect.soft(await faults(page), `${path} at ${width}`).toEqual([])
    for (const text of texts) {
      const last = page.getByText(text).first()
      await expect(last, `${path} at ${width}: ${text}`).toBeVisible()
    }
    expect
      .soft(
        await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        ),
        `${path} at ${width}`,
      )
      .toBeLessThanOrEqual(0)
  }
}

const long = (words: string) => `${'One more line of it.\n\n'.repeat(12)}${words}`

test('pages with marks, reviews and circles print as a whole', async ({ page, api }) => {
  const [ada, ben, cem, dot] = (await Promise.all(
    ['Ada', 'Ben', 'Cem', 'Dot'].map((name) => api.user(name)),
  )) as [User, User, User, User]
  const title = `${'A long title of many words '.repeat(6)}${uniqueWord()}`
  const circleId = await api.circle(ada.token, {
    name: 'Class 7b',
    description: long('the end of the circle'),
  })
  const link = await api.invite(ada.token, circleId)
  for (const { token } of [ben, cem, dot]) await api.join(token, link)
  const level = (label: string, marks: number) => ({ label, marks })
  const rubric = { criteria: [{ title: 'Argument', levels: [level('Weak', 0), level('Strong', 20)] }] }
  const id = await api.assignment(ada.token, {
    title,
    circleId,
    reviewsNeeded: 2,
    rubric,
    description: `${long('the end of the task')}\n\n| a | b |\n|---|---|\n| ${'wide'.repeat(60)} | c |`,
  })
  const work = await api.submission(ben.token, id, long('the end of the note'))
  await api.reviewByLevels(cem.token, id, [1], long('the end of the first review'))
  await api.reviewByLevels(dot.token, id, [1], `${long('the end of the second review')} $x_2$`)
  const simple = await api.assignment(ada.token, { title: uniqueWord(), circleId })
  await api.grade(ada.token, await api.submission(ben.token, simple), 20, long('the end of the feedback'))
  await api.comment(ben.token, simple, long('the end of the comment'))

  const reviews = ['the end of the first review', 'the end of the second review']
  await signIn(page, ben, '/about-Us')
  // Sakai: sakaiproject/sakai#3549, a table cut at a fixed height; Canvas: instructure/canvas-lms#219, scrolling areas.
  await expectWhole(page, `/submission/${work}/mark`, reviews)
  await expect(page.locator('math msub')).toBeVisible()
  await expectWhole(page, '/attemded-assignments', ['the end of the note', 'the end of the feedback'])
  await expectWhole(page, `/assignment/${id}`, ['the end of the task'])
  await expectWhole(page, `/assignment/${simple}`, ['the end of the comment'])
  await expectWhole(page, `/circle/${circleId}`, ['the end of the circle'])
  await signIn(page, cem, '/about-Us')
  await expectWhole(page, '/reviews', [title.slice(0, 40)])
  await page.context().clearCookies()
  await signIn(page, ada, '/about-Us')
  await expectWhole(page, `/assignment/${simple}`, ['the end of the feedback'])
  await expectWhole(page, `/assignment/${id}`, ['the end of the task'])
  await expectWhole(page, `/circle/${circleId}?tab=members`, ['Ben', 'Dot'])
  await expectWhole(page, `/circle/${circleId}?tab=marks`, ['Ben', title.slice(-10)])
  await page.emulateMedia({ media: 'screen' })
  await page.goto(`/assignment/${id}`)
  await page
    .getByRole('region', { name: 'Results' })
    .getByRole('button', { name: 'Open', exact: true })
    .first()
    .click()
  await expect(page.getByText(reviews[1] ?? '').first()).toBeAttached()
  await page.emulateMedia({ media: 'print' })
  expect(await faults(page)).toEqual([])
  for (const text of reviews) await expect(page.getByText(text).first()).toBeVisible()
})

/** The texts that print, one for each line of the page. */
const printed = async (page: Page) => {
  await page.emulateMedia({ media: 'print' })
  await page.setViewportSize({ width: 718, height: 1000 })
  return page.evaluate(() => document.body.innerText)
}

test('a mark, the marks of a class and its results print as a sheet: title, class, day, one table, all feedback', async ({
  page,
  newPerson,
  api,
}) => {
  const [ada, ben, cem, dot] = (await Promise.all(
    ['Ada', 'Ben', 'Cem', 'Dot'].map((name) => api.user(name)),
  )) as [User, User, User, User]
  const [title, name] = [`Tides ${uniqueWord()}`, `Class ${uniqueWord()}`]
  const circleId = await api.circle(ada.token, { name, description: 'What the class is about.' })
  const link = await api.invite(ada.token, circleId)
  for (const { token } of [ben, cem, dot]) await api.join(token, link)
  const levels = [0, 20].map((marks) => ({ label: `${marks} marks`, marks }))
  const rubric = { criteria: [{ title: 'Argument', levels }] }
  const of = { title, circleId, reviewsNeeded: 2, rubric, description: 'The task.' }
  const id = await api.assignment(ada.token, of)
  const work = await api.submission(ben.token, id)
  for (const { token } of [cem, dot]) await api.reviewByLevels(token, id, [1], long('the end of a review'))
  await api.comment(ben.token, id, 'A comment.')
  const day = /\d{4}\/\d{2}\/\d{2}/

  const student = await newPerson()
  await signIn(student, ben, `/submission/${work}/mark`)
  await expect(student.getByText('the end of a review').first()).toBeVisible()
  const mark = await printed(student)
  for (const text of [title, name, day, 'Review A', 'Review B', 'the end of a review'])
    expect.soft(mark).toMatch(text)
  for (const text of ['How was my mark made?', 'History', 'receipt', 'My Attempted Assignments', 'Logout'])
    expect.soft(mark).not.toContain(text)

  await signIn(page, ada, `/circle/${circleId}?tab=marks`)
  await expect(page.getByRole('table', { name: 'Marks' }).getByText('Ben')).toBeVisible()
  const marks = await printed(page)
  for (const text of ['Marks', name, day, title, 'Ben']) expect.soft(marks).toMatch(text)
  for (const text of ['What the class is about.', 'Owner', 'Leave', 'come first', '©'])
    expect.soft(marks).not.toContain(text)

  await page.emulateMedia({ media: 'screen' })
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`/assignment/${id}`)
  await page.evaluate(() => (window.print = () => undefined))
  await page.getByRole('button', { name: 'Print these' }).click()
  const results = await printed(page)
  for (const text of [title, name, day, 'Ben']) expect.soft(results).toMatch(text)
  for (const text of ['The task.', 'A comment.', 'Who owes what', 'Distribution', '©'])
    expect.soft(results).not.toContain(text)
  await page.evaluate(() => dispatchEvent(new Event('afterprint')))
  expect(await printed(page)).toContain('The task.')
})

test('the questions of the home page print with their answers, and tables repeat their headings', async ({
  page,
  api,
}) => {
  await expectWhole(page, '/', [])
  const answers = page.getByRole('region', { name: 'Frequently Asked Questions' }).locator('p.max-w-prose')
  for (const answer of await answers.all()) {
    await expect(answer).toBeVisible()
    expect((await answer.boundingBox())?.height).toBeGreaterThan(15)
  }
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const id = await api.assignment(ada.token, { title: uniqueWord() })
  await api.grade(ada.token, await api.submission(ben.token, id), 20, 'Good.')
  await signIn(page, ben, '/attemded-assignments')
  await expect(page.getByRole('table').getByText('Good.')).toBeVisible()
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.emulateMedia({ media: 'print' })
  await expect(page.locator('thead').first()).toHaveCSS('display', 'table-header-group')
})
