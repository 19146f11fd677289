import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { components } from '@/api/schema.gen'
import { queryClient } from '@/lib/query-client'
import { invalidate } from '@/lib/query'
import { renderPage } from '@/test/render-page'
import { ada, ben, sampleAssignment } from '@/test/samples'
import { button, texts } from '@/test/screen'
import { serve } from '@/test/serve'
import { resultsKey } from '@/entities/result/queries'

type Result = components['schemas']['Result']

const results = page.getByRole('region', { name: 'Results' })

const handedIn = (n: number, fields: Partial<Result> = {}): Result => ({
  _id: `s${n}`,
  submittedBy: `p${n}@example.org`,
  submitterName: `Person ${n}`,
  status: 'pending',
  submittedAt: `2026-02-${String(n).padStart(2, '0')}T00:00:00Z`,
  late: false,
  marks: 20,
  may: {
    grade: false,
    settle: false,
    reopen: false,
    setMark: false,
    known: false,
    waits: false,
    sendBack: false,
  },
  ...fields,
})

const received = [
  { _id: 'r1', label: 'A', mark: 18, levels: [1], day: '2026-02-02' },
  { _id: 'r2', label: 'B', mark: 9, levels: [0], day: '2026-02-02' },
]
const rubric = {
  criteria: [
    {
      title: 'Argument',
      levels: [
        { label: 'Weak', marks: 9 },
        { label: 'Strong', marks: 18 },
      ],
    },
  ],
}
const summary = {
  pending: 0,
  waiting: 1,
  ready: 2,
  late: 0,
  appeals: 0,
  marked: 2,
  averagePercent: 67.5,
  distribution: Array.from({ length: 10 }, (_, i) => ({
    from: 10 * i,
    to: 10 * (i + 1),
    count: i > 7 ? 1 : 0,
  })),
  outliers: [{ _id: 's1', submitterName: 'Person 1', kind: 'low', givenMark: 2, marks: 20 }],
}

const owes: components['schemas']['Owes'] = {
  assignmentId: 'a1',
  title: 'Fractions in short',
  dueDate: '2026-01-01T00:00:00Z',
  people: 0,
  handedIn: 0,
  notHandedIn: 0,
  owingReviews: 0,
  waiting: 0,
  stuck: 0,
  may: { remind: false },
  submissions: [],
  data: [],
  pagination: { page: 1, limit: 10, total: 0, totalPages: 0 },
}

/**
 * Ada's assignment, and what came in for it: newest first, as it is when asked. What stands above the submissions has its
 * place by then, so that it moves none of them away from a click.
 */
async function open(read: () => Result[], ...first: Parameters<typeof serve>): Promise<void> {
  serve(
    ...first,
    http.get('*/api/assignment/a1', () => HttpResponse.json(sampleAssignment())),
    http.get('*/api/assignment/a1/results', () =>
      HttpResponse.json({ ...summary, total: read().length, counted: read().length }),
    ),
    http.get('*/api/assignment/a1/looks', () => HttpResponse.json({ data: [] })),
    http.get('*/api/assignment/a1/owes', () => HttpResponse.json(owes)),
    http.get('*/api/progress', () => HttpResponse.json({ data: [] })),
    http.get('*/api/assignment/a1/submissions/:id', ({ params }) =>
      HttpResponse.json({
        ...read().find(({ _id }) => _id === params.id),
        docsLink: 'https://docs.example.org/d/1',
        received,
        rubric,
        timeline: [{ kind: 'handed-in', time: 'past', day: '2026-02-01' }],
        explained: false,
      }),
    ),
    http.get('*/api/assignment/a1/submissions', ({ request }) => {
      const at = Number(new URL(request.url).searchParams.get('page'))
      const all = read()
      const pagination = { page: at, limit: 10, total: all.length, totalPages: Math.ceil(all.length / 10) }
      return HttpResponse.json({ data: all.slice(10 * (at - 1), 10 * at), pagination })
    }),
  )
  await renderPage('/assignment/a1', ada)
  await expect.element(results.getByRole('region', { name: 'Who owes what' })).toBeVisible()
}

const tops = () =>
  results
    .getByRole('row')
    .elements()
    .map((row) => Math.round(row.getBoundingClientRect().top + window.scrollY))

test('a grade that arrives changes its row, moves none, and is announced', async () => {
  let rows = [handedIn(3), handedIn(2), handedIn(1)]
  await open(() => rows)
  await expect.element(results.getByRole('row')).toHaveLength(4)
  const before = tops()
  rows = rows.with(
    1,
    handedIn(2, { status: 'completed', givenMark: 18, feedback: 'Well argued. '.repeat(40) }),
  )
  invalidate(queryClient, resultsKey)
  await expect
    .element(results.getByRole('status').filter({ hasText: 'Person 2: 18 of 20 marks.' }))
    .toBeInTheDocument()
  await expect.element(button('Show all', results)).toBeVisible()
  expect(tops()).toEqual(before)
  expect(texts(results.getByRole('row').nth(2).getByRole('cell')).slice(1, 3)).toEqual(['completed', '18'])
})

test('new submissions wait at the top', async () => {
  let rows = [handedIn(2), handedIn(1)]
  await open(() => rows)
  await expect.element(results.getByRole('row')).toHaveLength(3)
  rows = [handedIn(3), ...rows]
  invalidate(queryClient, resultsKey)
  await button('1 new', results).click()
  await expect.element(results.getByRole('row')).toHaveLength(4)
  await expect.element(results.getByRole('heading', { name: 'Results' })).toHaveFocus()
})

test('an account that is gone, late work, and another total', async () => {
  const graded = { status: 'completed', givenMark: 7, marks: 10, late: true } as const
  const { submitterName: _, ...known } = handedIn(1, graded)
  const gone = { ...known, submittedBy: null }
  await open(() => [gone])
  await expect
    .poll(() => texts(results.getByRole('cell')))
    .toEqual([expect.stringContaining('Unknown'), 'completedLate', '7 of 10', '--'])
})

test('a failed fetch says why, with Retry', async () => {
  let failing = true
  await open(
    () => [],
    http.get('*/api/assignment/a1/submissions', () =>
      failing ? new HttpResponse(null, { status: 500 }) : undefined,
    ),
  )
  await expect.element(results.getByRole('alert')).toBeVisible()
  failing = false
  await button('Retry', results).click()
  await expect.element(results.getByText(/^There are no submissions yet/)).toBeVisible()
})

test('others than the creator see none of it, nor ask for it', async () => {
  const asked: string[] = []
  serve(
    http.get('*/api/assignment/a1', () => HttpResponse.json(sampleAssignment())),
    http.get('*/api/*', ({ request }) => {
      asked.push(new URL(request.url).pathname)
      return HttpResponse.json([])
    }),
  )
  await renderPage('/assignment/a1', ben)
  await expect.element(button('Take Assignment')).toBeVisible()
  await expect.element(results).not.toBeInTheDocument()
  expect(asked).not.toContain('/api/assignment/a1/submissions')
})

test('submissions are opened one after the other, by button and by keys', async () => {
  await open(() => [3, 2, 1].map((n) => handedIn(n)))
  await results.getByRole('button', { name: 'Open' }).first().click()
  const desk = (n: number) => results.getByRole('heading', { name: `Submission of Person ${n}` })
  await expect.element(desk(3)).toHaveFocus()
  await expect.element(results.getByRole('link', { name: 'View Document' })).toBeVisible()
  await expect.element(results.getByRole('cell', { name: '18 Strong', exact: true })).toBeVisible()
  await userEvent.keyboard('j')
  await expect.element(desk(2)).toHaveFocus()
  await userEvent.keyboard('j')
  await expect.element(desk(1)).toHaveFocus()
  await expect.element(results.getByRole('button', { name: 'Next' })).toBeDisabled()
  await userEvent.keyboard('k')
  await expect.element(desk(2)).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(desk(2)).not.toBeInTheDocument()
  await results.getByRole('button', { name: /^Person 1: 2 of 20/ }).click()
  await expect.element(desk(1)).toHaveFocus()
})

test('all that are ready are finalized after a question', async () => {
  let asked = 0
  await open(
    () => [handedIn(1)],
    http.post('*/api/assignment/a1/settle', () => {
      asked++
      return HttpResponse.json({ modifiedCount: 2, leftCount: 0 })
    }),
  )
  await results.getByRole('button', { name: 'Finalize all (2)' }).click()
  expect(asked).toBe(0)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Finalize all' }).click()
  await expect.element(page.getByText('2 finalized')).toBeVisible()
  expect(asked).toBe(1)
})

test('a filter and an order are the server’s', async () => {
  const asked: string[] = []
  await open(
    () => [handedIn(1)],
    http.get('*/api/assignment/a1/submissions', ({ request }) => {
      const { search } = new URL(request.url)
      if (!/show|sort/.test(search)) return undefined
      asked.push(search)
      return HttpResponse.json({ data: [], pagination: { page: 1, limit: 10, total: 0, totalPages: 0 } })
    }),
  )
  await results.getByRole('combobox', { name: 'Show' }).selectOptions('late')
  await expect.element(results.getByText('Nothing here.')).toBeVisible()
  await results.getByRole('combobox', { name: 'Sort by' }).selectOptions('mark')
  await expect
    .poll(() => asked)
    .toEqual(['?page=1&limit=10&show=late', '?page=1&limit=10&sort=mark&show=late'])
})

test('results in a circle say each submitter’s section, and show one of them', async () => {
  const all = [handedIn(2, { label: '10 B' }), handedIn(1, { label: '10 A' }), handedIn(3)]
  const asked: (string | null)[] = []
  await open(
    () => all,
    http.get('*/api/assignment/a1/submissions', ({ request }) => {
      const label = new URL(request.url).searchParams.get('label')
      asked.push(label)
      const data = all.filter((one) => !label || one.label === label)
      const pagination = { page: 1, limit: 10, total: data.length, totalPages: 1 }
      return HttpResponse.json({ data, pagination })
    }),
  )
  const rows = results.getByRole('row').filter({ has: page.getByRole('cell') })
  await expect.poll(() => rows.elements().length).toBe(3)
  await results.getByRole('link', { name: '10 B' }).click()
  await expect.poll(() => rows.elements().length).toBe(1)
  await expect.element(rows.getByText('Person 2', { exact: true })).toBeVisible()
  await expect.element(results.getByText(/^You see only the section 10 B/)).toBeVisible()
  await results.getByRole('combobox', { name: 'Sort by' }).selectOptions('mark')
  await expect.poll(() => asked.at(-1)).toBe('10 B')
  await results.getByRole('link', { name: 'Show all members' }).click()
  await expect.poll(() => rows.elements().length).toBe(3)
  await results.getByRole('button', { name: 'Open', exact: true }).nth(1).click()
  const opened = results.getByRole('region', { name: 'Submission of Person 1' })
  await expect.element(opened.getByText('10 A')).toBeVisible()
})

test('the creator marks where one look helps most', async () => {
  const may = {
    grade: false,
    settle: false,
    reopen: false,
    setMark: false,
    known: true,
    waits: false,
    sendBack: false,
  }
  const severalReview = { reviewsNeeded: 3, reviews: 2, may }
  let rows = [handedIn(2, severalReview), handedIn(1, severalReview)]
  let sent: unknown
  await open(
    () => rows,
    http.get('*/api/assignment/a1/looks', () =>
      HttpResponse.json({
        data: rows
          .flatMap((row) => (row.givenMark ? [] : [{ ...row, fall: row._id === 's1' ? 31.5 : 8 }]))
          .toReversed(),
      }),
    ),
    http.put('*/api/submissions/s1/known', async ({ request }) => {
      sent = await request.json()
      rows = [
        handedIn(2, severalReview),
        handedIn(1, { ...severalReview, status: 'completed', givenMark: 9 }),
      ]
      return HttpResponse.json({ modifiedCount: 1 })
    }),
  )
  const looks = results.getByRole('region', { name: 'Where one look helps most' })
  await expect.element(looks.getByRole('listitem')).toHaveLength(2)
  expect(texts(looks.getByRole('listitem'))).toEqual([
    'Person 1: mark this one first, 31.5% less uncertainty',
    'Person 2: 8% less uncertainty',
  ])
  await button('Person 1: mark this one first, 31.5% less uncertainty', looks).click()
  const desk = results.getByRole('region', { name: 'Submission of Person 1' })
  await button('Mark it myself', desk).click()
  const dialog = page.getByRole('dialog', { name: 'Mark it myself' })
  await button('Submit', dialog).click()
  await expect.element(dialog.getByText('Choose a level.')).toBeVisible()
  await expect.element(dialog.getByRole('radio', { name: 'Weak 9 marks' })).toHaveFocus()
  await dialog.getByRole('radio', { name: 'Weak 9 marks' }).click()
  await dialog.getByLabelText('Reason').fill('It answers one question.')
  await button('Submit', dialog).click()
  await expect.element(page.getByText('The submitter sees the mark and your reason.')).toBeVisible()
  expect(sent).toEqual({ mark: 9, levels: [0], reason: 'It answers one question.' })
})

test('a mark that was set before any review is kept under a rubric', async () => {
  const appealed = handedIn(1, {
    status: 'completed',
    givenMark: 15,
    reviewsNeeded: 3,
    reviews: 0,
    appeal: 'open',
    may: { ...handedIn(1).may, grade: false, setMark: true },
  })
  let sent: unknown
  await open(
    () => [appealed],
    http.get('*/api/assignment/a1/submissions/:id', () =>
      HttpResponse.json({ ...appealed, docsLink: '', received: [], rubric, timeline: [], explained: false }),
    ),
    http.post('*/api/submissions/s1/reopen', async ({ request }) => {
      sent = await request.json()
      return HttpResponse.json({ modifiedCount: 1 })
    }),
  )
  await button('Keep 15', results).click()
  const dialog = page.getByRole('dialog', { name: 'Keep 15' })
  await dialog.getByLabelText('Reason').fill('It was read in full.')
  await button('Submit', dialog).click()
  await expect.element(page.getByText('The submitter sees the mark and your reason.')).toBeVisible()
  expect(sent).toEqual({ action: 'set-mark', mark: 15, reason: 'It was read in full.' })
})

test('results of an archived circle are read, and nothing changes them', async () => {
  await open(
    () => [handedIn(1, { may: { ...handedIn(1).may, grade: false } })],
    http.get('*/api/assignment/a1', () =>
      HttpResponse.json(
        sampleAssignment({
          circleId: 'c1',
          circleName: 'History 10A',
          creatorEmail: null,
          mine: true,
          may: { change: false, take: false, decide: false },
          reviewsNeeded: 2,
        }),
      ),
    ),
    http.get('*/api/assignment/a1/exemplars', () =>
      HttpResponse.json({
        data: [
          { _id: 'e1', mark: 14, marks: 18, reason: 'One of two.', docsLink: 'https://docs.example.org/d/2' },
        ],
      }),
    ),
  )
  await expect.element(results.getByText('Person 1').first()).toBeVisible()
  await expect.element(results.getByText('One of two.')).toBeVisible()
  for (const name of ['Change', 'Remove', 'Add an exemplar', 'Give Mark'])
    await expect.element(button(name, results)).not.toBeInTheDocument()
})

test('a link to a submission opens it again after it was closed', async () => {
  const stuck = { _id: 's1', submitterName: 'Person 1', reason: 'unattended' }
  await open(
    () => [handedIn(2), handedIn(1)],
    http.get('*/api/assignment/a1/owes', () => HttpResponse.json({ ...owes, submissions: [stuck] })),
  )
  const link = results.getByRole('link', { name: /^Person 1: it was not reviewed in time/ })
  for (let times = 0; times < 2; times++) {
    await link.click()
    await expect.element(button('Close', results)).toBeVisible()
    await button('Close', results).click()
    await expect.element(button('Close', results)).not.toBeInTheDocument()
  }
})

test('a student gets more time in three presses, and work is sent back with a reason', async () => {
  const sent: unknown[] = []
  await open(
    () => [
      handedIn(1, {
        submitterId: 'u1',
        linkChangedAt: new Date(2026, 10, 29, 10, 12).toISOString(),
        may: { ...handedIn(1).may, sendBack: true },
      }),
    ],
    http.put('*/api/assignment/a1/extensions/u1', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json({ modifiedCount: 1 })
    }),
    http.post('*/api/submissions/s1/send-back', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json({ modifiedCount: 1 })
    }),
  )
  await expect.element(results.getByText('link changed after the due date, 2026/11/29 10:12')).toBeVisible()
  await button('Extra time', results).click()
  const dialog = page.getByRole('dialog', { name: 'Extra time' })
  await dialog.getByRole('textbox', { name: 'Due date for this student' }).fill('2099/06/01')
  await button('Save', dialog).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await button('Send back', results).click()
  const back = page.getByRole('dialog', { name: 'Send back' })
  await back.getByRole('textbox', { name: 'Reason' }).fill('A chapter is missing.')
  await button('Send back', back).click()
  await expect.element(back).not.toBeInTheDocument()
  expect(sent).toEqual([
    { dueDate: expect.stringContaining('2099-06-01T23:59:59') as string },
    { reason: 'A chapter is missing.' },
  ])
})

test('too few submitters are a warning, which says how many end it', async () => {
  const short = [{ assignmentId: 'a1', assignmentTitle: 'Fractions', reviewsNeeded: 3, submitters: 2 }]
  await open(
    () => [],
    http.get('*/api/assignment/a1', () => HttpResponse.json(sampleAssignment({ reviewsNeeded: 3 }))),
    http.get('*/api/assignment/a1/exemplars', () => HttpResponse.json({ data: [] })),
    http.get('*/api/today', () => HttpResponse.json({ turns: [], due: [], back: [], decisions: [], short })),
  )
  const warning = results.getByRole('region', { name: 'Too few reviewers so far' })
  await expect.element(warning.getByText('2 people have handed in', { exact: false })).toBeVisible()
  await expect
    .element(warning.getByText('the warning ends once 4 have handed in', { exact: false }))
    .toBeVisible()
})

test('the list and the opened submission say the same about its reviews', async () => {
  await open(() => [handedIn(1, { reviews: 3, reviewsNeeded: 3, oneMore: true })])
  const row = results.getByRole('row').nth(1)
  const said = ['3 of 3 reviews', 'One more asked for']
  for (const text of said) await expect.element(row.getByText(text, { exact: true })).toBeVisible()
  await results.getByRole('button', { name: 'Open' }).click()
  const desk = results.getByRole('region', { name: 'Submission of Person 1' })
  for (const text of said) await expect.element(desk.getByText(text, { exact: true })).toBeVisible()
})

test('the pen’s circle closes arc by arc as reviews come in', async () => {
  let reviews = 2
  await open(() => [handedIn(1, { reviews, reviewsNeeded: 3 })])
  const drawn = () =>
    results.getByRole('row').nth(1).element().querySelector('path')?.getAttribute('stroke-dasharray')
  await expect.element(results.getByText('2 of 3 reviews')).toBeVisible()
  expect(drawn()).toBe('2 3')
  reviews = 3
  invalidate(queryClient, resultsKey)
  await expect.element(results.getByText('3 of 3 reviews')).toBeVisible()
  expect(drawn()).toBe('3 3')
})

test('the figures above the tabs are the server’s, and leave out what is none', async () => {
  const figures = { ...summary, total: 4, counted: 4, ready: 0, appeals: 1 }
  await open(
    () => [handedIn(1)],
    http.get('*/api/assignment/a1/results', () => HttpResponse.json(figures)),
  )
  await expect.element(page.getByText('4 in · 1 waits for you · 1 appeal', { exact: true })).toBeVisible()
  await expect.element(page.getByRole('tab', { name: 'Work (4)', exact: true })).toBeVisible()
})
