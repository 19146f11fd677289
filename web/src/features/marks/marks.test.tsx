import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { queryClient } from '@/lib/query-client'
import { biology, listOf, nothing, serveCircle } from '@/test/circles'
import { renderPage } from '@/test/render-page'
import { ada, sampleAssignment } from '@/test/samples'
import { answerBox, button, texts } from '@/test/screen'
import { serve } from '@/test/serve'
import type { CircleMarks, MarkRow, Owes } from './queries'
import { summaryOf } from './owes-summary'

beforeEach(() => queryClient.clear())

const column = (n: number) => ({
  _id: `a${n}`,
  title: `Assignment ${n}`,
  marks: 20,
  dueDate: '2020-01-01T00:00:00Z',
  reviewsOwed: 2,
})

const row = (n: number, cells: MarkRow['cells']): MarkRow => ({
  userId: `u${n}`,
  displayName: `Person ${n}`,
  email: `p${n}@example.org`,
  role: 'member',
  cells,
})

const marks: CircleMarks = {
  assignments: [column(2), column(1)],
  data: [
    row(1, [
      { state: 'graded', givenMark: 15, marks: 20, percent: 75, late: true, reviewsGiven: 2, reviewsOwed: 2 },
      { state: 'pending' },
    ]),
    row(2, [{ state: 'open' }, { state: 'pending', reviewsGiven: 1, reviewsOwed: 2 }]),
  ],
  pagination: { page: 1, limit: 100, total: 2, totalPages: 1 },
}

const cellsOf = (n: number) =>
  texts(
    page.getByRole('row').nth(n).getByRole('rowheader').or(page.getByRole('row').nth(n).getByRole('cell')),
  )

test('the marks of a circle: who lacks most comes first, and a file is two presses away', async () => {
  const asked: string[] = []
  const organizer: MarkRow = { ...row(3, [{ state: 'open' }, { state: 'open' }]), role: 'organizer' }
  serveCircle(
    () => biology,
    http.get('*/api/circle/c1/marks', () =>
      HttpResponse.json({ ...marks, data: [...marks.data, organizer] }),
    ),
    http.get('*/api/circle/c1/marks.csv', ({ request }) => {
      asked.push(new URL(request.url).search)
      return new HttpResponse('member\r\n', { headers: { 'Content-Type': 'text/csv; charset=utf-8' } })
    }),
  )
  await renderPage('/circle/c1', ada)
  await page.getByRole('tab', { name: 'Marks' }).click()
  await expect.element(page.getByRole('table', { name: 'Marks' })).toBeVisible()
  expect(cellsOf(1)).toEqual(['Person 2', 'Missing', 'Pending1 of 2 given'])
  expect(cellsOf(2)).toEqual(['Person 1', '1575%Late2 of 2 given', 'Pending'])
  await button('Marks as a file').click()
  const dialog = page.getByRole('dialog', { name: 'Marks as a file' })
  await button('For Canvas', dialog).click()
  await expect.poll(() => asked).toEqual(['?bom=false&codes=false&form=canvas&students=true'])
  await expect.element(dialog.getByText(/SIS Login ID, here the email address/)).toBeVisible()
  await button('For Moodle', dialog).click()
  await expect.poll(() => asked.at(-1)).toBe('?bom=false&codes=false&form=moodle&students=true')
  await button('One table', dialog).click()
  await expect.poll(() => asked.at(-1)).toBe('?bom=true&codes=false&form=wide&students=true')
  await dialog.getByRole('checkbox', { name: 'Students only' }).click()
  await dialog.getByRole('checkbox', { name: 'Codes instead of names' }).click()
  await expect.element(button('For Canvas', dialog)).not.toBeInTheDocument()
  await button('A line for each mark', dialog).click()
  await expect.poll(() => asked.at(-1)).toBe('?bom=true&codes=true&form=long&students=false')
  await button('Close', dialog).click()
  await expect.element(dialog).not.toBeInTheDocument()
})

test('marks are sorted by family name, and then stay in that order', async () => {
  const asked: string[] = []
  serveCircle(
    () => biology,
    http.get('*/api/circle/c1/marks', ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('sort') ?? '')
      return HttpResponse.json(marks)
    }),
  )
  const address = await renderPage('/circle/c1?tab=marks', ada)
  await expect.element(page.getByRole('table', { name: 'Marks' })).toBeVisible()
  expect(cellsOf(1)[0]).toBe('Person 2')
  await page.getByRole('combobox', { name: 'Order' }).selectOptions('By family name')
  await expect.poll(() => cellsOf(1)[0]).toBe('Person 1')
  expect(asked.at(-1)).toBe('family')
  expect(address()).toBe('/circle/c1?tab=marks&sort=family')
})

test('a circle that counts accuracy shows it for each member', async () => {
  const [first, second] = marks.data
  serveCircle(
    () => biology,
    http.get('*/api/circle/c1/marks', () =>
      HttpResponse.json({ ...marks, data: [{ ...first, accuracy: { reviews: 3, percent: 92.5 } }, second] }),
    ),
  )
  await renderPage('/circle/c1?tab=marks', ada)
  await expect.element(page.getByRole('columnheader', { name: 'Accuracy of exemplars' })).toBeVisible()
  expect(cellsOf(1).slice(0, 2)).toEqual(['Person 2', '--'])
  expect(cellsOf(2).slice(0, 2)).toEqual(['Person 1', '92.5%3 reviews'])
})

test('members read their own accuracy on the page of the circle', async () => {
  serveCircle(() => ({ ...biology, accuracy: { reviews: 1, percent: 95 } }))
  await renderPage('/circle/c1', ada)
  await expect
    .element(page.getByText(/^Your reviews of exemplars here are 95% accurate \(1 review\)/))
    .toBeVisible()
})

test('the head and the first column stay while the table scrolls by keyboard', async () => {
  const columns = Array.from({ length: 20 }, (_, i) => column(i))
  const cells = columns.map(() => ({ state: 'pending' as const }))
  serveCircle(
    () => biology,
    http.get('*/api/circle/c1/marks', () =>
      HttpResponse.json({
        ...marks,
        assignments: columns,
        data: Array.from({ length: 100 }, (_, i) => row(i, cells)),
      }),
    ),
  )
  await renderPage('/circle/c1?tab=marks', ada)
  const region = page.getByRole('region', { name: 'Marks of all members' })
  await expect.element(region).toBeVisible()
  const box = region.element() as HTMLElement
  box.focus()
  await userEvent.keyboard('{End}')
  await expect.poll(() => box.scrollTop).toBeGreaterThan(500)
  box.scrollLeft = 600
  const { left, top } = box.getBoundingClientRect()
  const at = (element: Element | undefined) => element?.getBoundingClientRect()
  expect(Math.round((at(box.querySelectorAll('thead th')[15])?.top ?? 0) - top)).toBeLessThanOrEqual(1)
  expect(Math.round((at(box.querySelectorAll('tbody th')[99])?.left ?? 0) - left)).toBeLessThanOrEqual(1)
  const heights = new Set(
    Array.from(box.querySelectorAll('tbody tr'), (one) => Math.round(at(one)?.height ?? 0)),
  )
  expect(heights.size, 'rows of one height, so that nothing jumps').toBe(1)
})

test('a broken download says so', async () => {
  serveCircle(
    () => biology,
    http.get('*/api/circle/c1/marks', () => HttpResponse.json(marks)),
    http.get('*/api/circle/c1/marks.csv', () => HttpResponse.error()),
  )
  await renderPage('/circle/c1?tab=marks', ada)
  await button('Marks as a file').click()
  await button('One table').click()
  await answerBox('Error', null)
})

test('members who have published nothing have no tab for marks', async () => {
  serveCircle(() => ({ ...biology, role: 'member', may: nothing, readsMarks: false }))
  await renderPage('/circle/c1', ada)
  await expect.element(page.getByRole('tab', { name: 'Members' })).toBeVisible()
  await expect.element(page.getByRole('tab', { name: 'Marks' })).not.toBeInTheDocument()
})

test('members read the marks for what they have published', async () => {
  serveCircle(
    () => ({ ...biology, role: 'member', may: nothing }),
    http.get('*/api/circle/c1/marks', () => HttpResponse.json(marks)),
  )
  await renderPage('/circle/c1', ada)
  await page.getByRole('tab', { name: 'Marks' }).click()
  await expect.element(page.getByRole('region', { name: 'Marks of all members' })).toBeVisible()
})

const owes: Owes = {
  assignmentId: 'a1',
  title: 'Fractions in short',
  dueDate: '2026-01-01T00:00:00Z',
  people: 3,
  handedIn: 2,
  notHandedIn: 1,
  owingReviews: 1,
  waiting: 2,
  stuck: 2,
  may: { remind: true },
  submissions: [
    { _id: 's1', submitterName: 'Person 1', reason: 'unattended' },
    { _id: 's3', submitterName: 'Person 3', reason: 'appeal' },
    { _id: 's2', reason: 'reviews', reviews: 1, reviewsWanted: 2 },
  ],
  data: [
    { userId: 'u2', displayName: 'Person 2', email: null, name: 'Two, Person', handedIn: false },
    { userId: 'u1', displayName: 'Person 1', email: null, handedIn: true, reviewsGiven: 1, reviewsOwed: 2 },
  ],
  pagination: { page: 1, limit: 10, total: 2, totalPages: 1 },
}

test('the creator sees who owes what, and one press reminds them', async () => {
  let now = owes
  serve(
    http.get('*/api/assignment/a1', () => HttpResponse.json(sampleAssignment())),
    http.get('*/api/assignment/a1/owes', () => HttpResponse.json(now)),
    http.post('*/api/assignment/a1/owes/remind', () => {
      now = { ...owes, may: { remind: false }, remindedAt: '2026-01-01T00:00:00Z' }
      return HttpResponse.json({ modifiedCount: 2 })
    }),
    http.get('*/api/assignment/a1/submissions', () => HttpResponse.json(listOf())),
  )
  await renderPage('/assignment/a1', ada)
  const desk = page.getByRole('region', { name: 'Who owes what' })
  await expect.element(desk.getByText(summaryOf(owes))).toBeVisible()
  expect(texts(desk.getByRole('list', { name: 'People' }).getByRole('listitem'))).toEqual([
    'Two, PersonNothing handed inExtra time',
    'Person 11 of 2 given',
  ])
  for (const [id, name] of [
    ['s1', 'Person 1: it was not reviewed in time. Set the mark.'],
    ['s3', 'Person 3: too few new reviews were given after the appeal. Decide it.'],
  ]) {
    await expect
      .element(desk.getByRole('link', { name }))
      .toHaveAttribute('href', `/assignment/a1#result-${id}`)
  }
  await button('Remind them', desk).click()
  await expect.element(page.getByText('2 people reminded')).toBeVisible()
  await expect.element(desk.getByText('Reminded. Once a day is enough.')).toBeVisible()
})

test('a date that is not sent yet is for the student for whom it was typed', async () => {
  const late = { userId: 'u3', displayName: 'Person 3', email: null, handedIn: false }
  serve(
    http.get('*/api/assignment/a1', () => HttpResponse.json(sampleAssignment())),
    http.get('*/api/assignment/a1/owes', () => HttpResponse.json({ ...owes, data: [...owes.data, late] })),
    http.get('*/api/assignment/a1/submissions', () => HttpResponse.json(listOf())),
  )
  const dateFor = async (name: string) => {
    await renderPage('/assignment/a1', ada)
    await page
      .getByRole('listitem')
      .filter({ hasText: name })
      .getByRole('button', { name: 'Extra time' })
      .click()
    return page.getByRole('textbox', { name: 'Due date for this student' })
  }
  await (await dateFor('Two, Person')).fill('2099/06/01')
  await expect.element(await dateFor('Person 3')).not.toHaveValue('2099/06/01')
  await expect.element(await dateFor('Two, Person')).toHaveValue('2099/06/01')
})

test.each<[string, Partial<Owes>]>([
  [
    '1 of 3 has not handed in. 1 owes reviews. 2 submissions wait for reviews or a grade. 1 is stuck until you decide.',
    { stuck: 1 },
  ],
  [
    '2 of 3 have not handed in. 2 owe reviews. 1 submission waits for reviews or a grade. 2 are stuck until you decide.',
    { notHandedIn: 2, owingReviews: 2, waiting: 1, stuck: 2 },
  ],
  ['Nothing is owed.', { notHandedIn: 0, owingReviews: 0, waiting: 0, stuck: 0 }],
])('%s', (text, change) => {
  expect(summaryOf({ ...owes, ...change })).toBe(text)
})

test.each<[string, Partial<Owes>, number]>([
  ['while a submission is open', {}, 1],
  ['once all have their marks', { waiting: 0, stuck: 0, submissions: [] }, 0],
])('reviews owed are as of yesterday %s', async (_, change, times) => {
  serve(
    http.get('*/api/assignment/a1', () => HttpResponse.json(sampleAssignment())),
    http.get('*/api/assignment/a1/owes', () => HttpResponse.json({ ...owes, ...change })),
    http.get('*/api/assignment/a1/submissions', () => HttpResponse.json(listOf())),
  )
  await renderPage('/assignment/a1', ada)
  const desk = page.getByRole('region', { name: 'Who owes what' })
  await expect.element(desk.getByText('1 of 2 given')).toBeVisible()
  expect(desk.getByText(/^Reviews are counted as of yesterday/).elements()).toHaveLength(times)
})
