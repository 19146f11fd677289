import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { components } from '@/api/schema.gen'
import { renderPage } from '@/test/render-page'
import { ben, sampleAssignment, sampleList } from '@/test/samples'
import { answerBox, button, texts } from '@/test/screen'
import { gate, serve } from '@/test/serve'

type Dashboard = components['schemas']['Dashboard']

const nothing: Dashboard = {
  created: { total: 0, submissions: 0, pending: 0, graded: 0 },
  taken: {
    total: 0,
    pending: 0,
    graded: 0,
    byLevel: { easy: { graded: 0 }, medium: { graded: 0 }, hard: { graded: 0 } },
    marks: [],
  },
  given: { total: 0 },
  due: [],
  waiting: [],
  decisions: [],
  short: [],
}

const mark = (n: number, percent: number, level: 'easy' | 'medium' | 'hard') => ({
  assignmentId: `a${n}`,
  assignmentTitle: `Assignment ${n}`,
  level,
  percent,
  markedAt: `2026-02-0${n}T12:00:00Z`,
})

const some: Dashboard = {
  created: { total: 2, submissions: 9, pending: 3, graded: 6, averagePercent: 71.5 },
  taken: {
    total: 4,
    pending: 1,
    graded: 3,
    averagePercent: 76.5,
    bestPercent: 95,
    byLevel: {
      easy: { graded: 2, averagePercent: 85 },
      medium: { graded: 0 },
      hard: { graded: 1, averagePercent: 59.4 },
    },
    marks: [mark(1, 75, 'easy'), mark(2, 59.4, 'hard'), mark(3, 95, 'easy')],
  },
  given: { total: 5, reviews: 3, averagePercent: 66, medianWaitHours: 5.2 },
  due: Array.from({ length: 6 }, (_, n) => ({
    assignmentId: `d${n}`,
    title: `Due ${n}`,
    dueDate: `2099-01-0${n + 1}T23:59:59Z`,
    state: n === 0 ? 'pending' : 'open',
    remind: n > 0,
  })),
  waiting: [
    {
      submissionId: 's7',
      assignmentTitle: 'Roots',
      submittedAt: '2026-01-01T00:00:00Z',
      marks: 20,
      late: true,
    },
    {
      assignmentTitle: 'Several reviews',
      marks: 10,
      late: false,
      assignmentId: 'a9',
      reviewsGiven: 1,
      reviewsOwed: 3,
      reviewsLeft: 2,
      reviewsAvailable: 4,
      reviewBy: '2026-11-28T12:00:00Z',
    },
  ],
  decisions: [{ submissionId: 's8', assignmentId: 'a8', assignmentTitle: 'Tides', reason: 'appeal' }],
  short: [{ assignmentId: 'a7', assignmentTitle: 'Moons', reviewsNeeded: 3, submitters: 2 }],
}

const region = (name: string) => page.getByRole('region', { name, exact: true })
const regions = ['What you took', 'Due soon', 'Waiting for a grade', 'What you created', 'What you graded']

async function open(dashboard: Dashboard) {
  serve(http.get('*/api/dashboard', () => HttpResponse.json(dashboard)))
  await renderPage('/dashboard', ben)
  await expect.element(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
}

/** What stands in a region's table, row by row. */
const rowsOf = (name: string) =>
  region(name)
    .getByRole('row')
    .elements()
    .map((row) => row.textContent)

/** A region's numbers with their names. */
const figures = (name: string) =>
  Array.from(
    region(name).element().querySelectorAll('dl > div'),
    (pair) => `${pair.querySelector('dt')?.textContent}: ${pair.querySelector('dd')?.textContent}`,
  )

test('a newcomer finds a first step in each region', async () => {
  await open(nothing)
  for (const [name, step, to] of [
    ['What you took', 'Take your first one', '/assignments?state=open'],
    ['Due soon', 'See what is due soon', '/assignments?state=due-soon'],
    ['Waiting for a grade', 'Create an assignment', '/create-assignment'],
    ['What you created', 'Create your first one', '/create-assignment'],
    ['What you graded', 'Give your first mark', '/pending-assignments'],
  ] as const) {
    await expect.element(region(name).getByRole('link', { name: step })).toHaveAttribute('href', to)
  }
  await expect.element(button('Show as table')).not.toBeInTheDocument()
  await expect.poll(() => document.title).toBe('Dashboard | StudyCircle')
})

test('the figures of each region stand beside their names', async () => {
  await open(some)
  await expect
    .poll(() => figures('What you took'))
    .toEqual(['Average: 76.5%', 'Best: 95%', 'Handed in: 4', 'Waiting: 1', 'Graded: 3'])
  expect(figures('What you created')).toEqual([
    'Assignments: 2',
    'Received: 9',
    'Waiting: 3',
    'Graded: 6',
    'Average: 71.5%',
  ])
  expect(figures('What you graded')).toEqual([
    'Marks given: 5',
    'Reviews given: 3',
    'Average: 66%',
    'Median wait: 5 hours',
  ])
})

test('reviews without marks of one’s own: no zero beside them, and exemplars are named', async () => {
  await open({ ...nothing, given: { total: 0, reviews: 2 } })
  await expect.poll(() => figures('What you graded')).toEqual(['Reviews given: 2'])
  await expect
    .element(region('What you graded').getByText('Reviews of exemplars are not counted.'))
    .toBeVisible()
})

test('marks over time: what is drawn stands in a table, the latest first', async () => {
  await open(some)
  const figure = page.getByRole('figure', { name: 'Marks over time' })
  const drawing = figure.getByRole('img', {
    name: 'Marks over time: 3 marks from 59.4% to 95%, the latest 95%.',
  })
  await expect.element(drawing).toBeVisible()
  await expect.element(figure.getByText('Assignment 3')).toBeVisible()
  const show = button('Show as table', figure)
  await expect.element(show).toHaveAttribute('aria-pressed', 'false')
  await show.click()
  await expect.element(show).toHaveAttribute('aria-pressed', 'true')
  await expect.element(drawing).not.toBeInTheDocument()
  await expect
    .poll(() => rowsOf('Marks over time'))
    .toEqual([
      'AssignmentLevelMark',
      'Assignment 32026/02/03Easy95%',
      'Assignment 22026/02/02Hard59.4%',
      'Assignment 12026/02/01Easy75%',
    ])
  await expect
    .element(figure.getByRole('link', { name: 'Assignment 2' }))
    .toHaveAttribute('href', '/assignment/a2')
  await show.click()
  await expect.element(drawing).toBeVisible()
})

test('marks by level: three bars, and the table behind them', async () => {
  await open(some)
  const figure = page.getByRole('figure', { name: 'Marks by level' })
  await expect
    .element(
      figure.getByRole('img', {
        name: 'Marks by level. Easy: 85% average, 2 grades; Medium: no mark yet; Hard: 59.4% average, 1 grade.',
      }),
    )
    .toBeVisible()
  await button('Show as table', figure).click()
  await expect
    .poll(() => rowsOf('Marks by level'))
    .toEqual(['LevelGradedAverage', 'Easy285%', 'Medium0--', 'Hard159.4%'])
})

test('pointing at the chart names a mark; leaving it names the latest again', async () => {
  await open(some)
  const figure = page.getByRole('figure', { name: 'Marks over time' })
  const drawing = figure.getByRole('img')
  await expect.element(drawing).toBeVisible()
  const { left, top, width } = drawing.element().getBoundingClientRect()
  const at = (share: number) => ({
    bubbles: true,
    clientX: left + width * share,
    clientY: top + 50,
  })
  drawing.element().dispatchEvent(new PointerEvent('pointermove', at(0.1)))
  await expect.element(figure.getByText('Assignment 1')).toBeVisible()
  drawing.element().dispatchEvent(new PointerEvent('pointermove', at(0.55)))
  await expect.element(figure.getByText('Assignment 2')).toBeVisible()
  drawing.element().dispatchEvent(new PointerEvent('pointerout', at(2)))
  await expect.element(figure.getByText('Assignment 3')).toBeVisible()
})

test('charts keep within 320 pixels', async () => {
  await open(some)
  await page.viewport(320, 800)
  await expect.poll(() => page.getByRole('img', { name: /^Marks/ }).elements().length).toBe(2)
  await expect.poll(() => document.documentElement.scrollWidth - document.documentElement.clientWidth).toBe(0)
})

test('the first mark is on its way', async () => {
  await open({ ...some, taken: { ...nothing.taken, total: 1, pending: 1 } })
  await expect.element(page.getByText('Your first mark is on its way.')).toBeVisible()
  await expect.element(button('Show as table')).not.toBeInTheDocument()
})

test('nothing moves when the figures come', async () => {
  const { opened, open: answer } = gate()
  serve(
    http.get('*/api/dashboard', async () => {
      await opened
      return HttpResponse.json(some)
    }),
  )
  await renderPage('/dashboard', ben)
  const positions = () =>
    regions.map((name) => {
      const { x, y, width } = region(name).element().getBoundingClientRect()
      return [x, y + window.scrollY, width].map(Math.round)
    })
  await expect.element(region('What you graded')).toBeVisible()
  await document.fonts.ready
  const before = positions()
  answer()
  await expect.element(region('What you took').getByText('76.5%').first()).toBeVisible()
  await expect.poll(() => page.getByRole('img', { name: /^Marks/ }).elements().length).toBe(2)
  expect(positions()).toEqual(before)
})

test('due assignments: the rest on request; a row that is switched off stays to be switched on again', async () => {
  const asked: unknown[] = []
  let due = some.due
  let refusing = false
  serve(
    http.get('*/api/dashboard', () => HttpResponse.json({ ...some, due })),
    http.put('*/api/assignment/:id/reminder', async ({ request, params }) => {
      const body = await request.json()
      asked.push([params['id'], body])
      if (refusing)
        return HttpResponse.json({ detail: 'Away.' }, { status: 503, headers: { 'Retry-After': '1' } })
      if (params['id'] === 'd1') due = due.filter(({ assignmentId }) => assignmentId !== 'd1')
      return HttpResponse.json({ modifiedCount: 1 })
    }),
  )
  await renderPage('/dashboard', ben)
  const switches = region('Due soon').getByRole('switch', { name: 'Remind me' })
  await expect.element(switches).toHaveLength(3)
  await button('Show all 6', region('Due soon')).click()
  await expect.element(switches).toHaveLength(6)
  await expect.element(region('Due soon').getByRole('link', { name: 'Due 3' })).toHaveFocus()
  await expect.element(region('Due soon').getByText('Handed in')).toBeVisible()

  const second = switches.nth(1)
  await expect.element(second).toHaveAccessibleDescription('Due 1')
  await second.click()
  await expect.element(second).toHaveAttribute('aria-checked', 'false')
  await expect.poll(() => asked).toEqual([['d1', { remind: false }]])
  await expect.element(switches).toHaveLength(6)

  refusing = true
  const third = switches.nth(2)
  await third.click()
  await answerBox('Error', 'Your reminder was not changed.')
  await expect.element(third).toHaveAttribute('aria-checked', 'true')
})

test('waiting work links to the list of all, and there to its own row', async () => {
  await open(some)
  const waiting = region('Waiting for a grade')
  await expect.element(waiting.getByText('20 marks')).toBeVisible()
  await expect.element(waiting.getByText('Late')).toBeVisible()
  expect(texts(waiting.getByRole('listitem')).length).toBe(2)
  await expect
    .element(waiting.getByRole('link', { name: 'Several reviews' }))
    .toHaveAttribute('href', '/pending-assignments')
})

test('a failed fetch says why, with Retry', async () => {
  let failing = true
  serve(
    http.get('*/api/dashboard', () =>
      failing
        ? HttpResponse.json({ detail: 'Away.' }, { status: 503, headers: { 'Retry-After': '1' } })
        : HttpResponse.json(some),
    ),
  )
  await renderPage('/dashboard', ben)
  await expect.element(page.getByText('Away. Try again in 1 second.')).toBeVisible()
  failing = false
  await button('Retry').click()
  await expect.element(region('What you took')).toBeVisible()
})

test('anything that one changes asks for the figures again', async () => {
  let asked = 0
  serve(
    http.get('*/api/dashboard', () => {
      asked++
      return HttpResponse.json(some)
    }),
    http.put('*/api/assignment/:id/reminder', () => HttpResponse.json({ modifiedCount: 1 })),
    http.get('*/api/assignments', () => HttpResponse.json(sampleList(sampleAssignment()))),
  )
  await renderPage('/dashboard', ben)
  await region('Due soon').getByRole('switch').first().click()
  await expect.poll(() => asked).toBe(2)
})
