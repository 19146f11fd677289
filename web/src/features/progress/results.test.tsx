import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { components } from '@/api/schema.gen'
import { queryClient } from '@/lib/query-client'
import { invalidate } from '@/lib/query'
import { renderPage } from '@/test/render-page'
import { ada, ben, sampleAssignment } from '@/test/samples'
import { button, texts } from '@/test/screen'
import { serve } from '@/test/serve'
import { resultsKey } from './results-query'

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
  may: { grade: false, settle: false, reopen: false, setMark: false, waits: false },
  ...fields,
})

/** Ada's assignment, and what came in for it: newest first, as it is when asked. */
async function open(read: () => Result[]): Promise<void> {
  serve(
    http.get('*/api/assignment/a1', () => HttpResponse.json(sampleAssignment())),
    http.get('*/api/assignment/a1/submissions', ({ request }) => {
      const at = Number(new URL(request.url).searchParams.get('page'))
      const all = read()
      const pagination = { page: at, limit: 10, total: all.length, totalPages: Math.ceil(all.length / 10) }
      return HttpResponse.json({ data: all.slice(10 * (at - 1), 10 * at), pagination })
    }),
  )
  await renderPage('/assignment/a1', ada)
}

const tops = () =>
  results
    .getByRole('row')
    .elements()
    .map((row) => Math.round(row.getBoundingClientRect().top + window.scrollY))

test('a grade that arrives changes its row, moves none, and is told', async () => {
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

test('what is handed in meanwhile waits at the top', async () => {
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
  await open(() => {
    if (failing) throw new HttpResponse(null, { status: 500 })
    return []
  })
  await expect.element(results.getByRole('alert')).toBeVisible()
  failing = false
  await button('Retry', results).click()
  await expect.element(results.getByText(/^Nobody has handed anything in yet/)).toBeVisible()
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
