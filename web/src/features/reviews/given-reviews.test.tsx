import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { components } from '@/api/schema.gen'
import { renderPage } from '@/test/render-page'
import { ada } from '@/test/samples'
import { serve } from '@/test/serve'

type Habit = components['schemas']['ReviewHabit']

async function open(habit?: Habit) {
  serve(
    http.get('*/api/reviews', () =>
      HttpResponse.json({
        data: [
          {
            _id: 'r1',
            may: { correct: false },
            submissionLabel: 'Heron',
            assignmentTitle: 'Essay',
            mark: 12,
            settledMark: 14,
            day: '2026-02-02',
          },
        ],
        pagination: { page: 1, limit: 20, total: 1, totalPages: 1 },
        ...(habit && { howYouReview: habit }),
      }),
    ),
  )
  await renderPage('/reviews', ada)
  await expect.element(page.getByRole('table', { name: 'What you reviewed, newest first' })).toBeVisible()
}

const own = page.getByRole('region', { name: 'How you review' })

test('a reviewer learns in words and a picture how they review', async () => {
  await open({ reviews: 12, strictness: -6.5, distance: 4.2, follows: 'closely' })
  const words = 'You are strict: your marks are 6.5% of the total below the settled ones.'
  await expect.element(own.getByText(words, { exact: false })).toBeVisible()
  await expect.element(own.getByRole('img', { name: words })).toBeVisible()
  await expect.element(own.getByText('typically 4.2% away', { exact: false })).toBeVisible()
  await expect.element(own.getByText('They follow the work closely', { exact: false })).toBeVisible()
  await expect.element(own.getByText('Only you see this', { exact: false })).toBeVisible()
})

test.for([
  [{ reviews: 5, strictness: 3, distance: 30, follows: 'hardly' }, 'You are generous', 'hardly follow'],
  [
    { reviews: 5, strictness: 0.4, distance: 9, follows: 'mostly' },
    'neither above nor below',
    'for the most part',
  ],
  [{ reviews: 5, strictness: -40, distance: 0, follows: 'unknown' }, 'You are strict', 'too much alike'],
] as const)('the words fit the figures: %o', async ([habit, strictness, follows]) => {
  await open(habit)
  await expect.element(own.getByText(strictness, { exact: false })).toBeVisible()
  await expect.element(own.getByText(follows, { exact: false })).toBeVisible()
})

test('before five reviews nothing is said', async () => {
  await open()
  await expect.element(own).not.toBeInTheDocument()
})
