import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { renderPage } from '@/test/render-page'
import { ben } from '@/test/samples'
import { answerBox, button } from '@/test/screen'
import { serve } from '@/test/serve'
import { settle } from './grade-model'

const reviews = [
  { label: 'A', mark: 18, strictness: 0, weight: 1 },
  { label: 'B', mark: 12, strictness: -0.05, weight: 1 },
]
const made = settle({ total: 20, usual: 1.05, noise: 0.24, reviews })
const explanation = {
  submissionId: 's1',
  assignmentTitle: 'Fractions in short',
  total: 20,
  givenMark: made.mark,
  model: 'SC1',
  usual: 1.05,
  usualMark: made.usualMark,
  noise: 0.24,
  estimate: made.estimate,
  interval: { low: made.low, high: made.high },
  open: made.open,
  reviews: reviews.map((review, at) => ({
    ...review,
    strictnessMarks: review.mark - (made.counted[at]?.as ?? 0),
    countsAs: made.counted[at]?.as ?? 0,
    counted: made.counted[at]?.weight ?? 0,
  })),
  settlements: [{ n: 1, day: '2026-11-20', by: 'model', reason: 'enough-reviews', mark: made.mark }],
}

const mark = (fields: object = {}) =>
  http.get('*/api/submissions/s1/mark', () => HttpResponse.json({ ...explanation, ...fields }))

test('a mark can be computed again, and agrees', async () => {
  serve(mark())
  await renderPage('/submission/s1/mark', ben)
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('How was my mark made?')
  await expect.element(page.getByText(/^In 8 of 10 cases a panel of experts would give/)).toBeVisible()
  await button('Recompute').click()
  await expect.element(page.getByText(/It agrees\.$/)).toBeVisible()
})

test('a mark that was not made so does not agree', async () => {
  serve(mark({ givenMark: 3 }))
  await renderPage('/submission/s1/mark', ben)
  await button('Recompute').click()
  await expect.element(page.getByText(/It does not agree\.$/)).toBeVisible()
})

test('an appeal says why', async () => {
  let sent: unknown
  serve(
    mark(),
    http.post('*/api/submissions/s1/appeal', async ({ request }) => {
      sent = await request.json()
      return HttpResponse.json({ insertedId: 's1' }, { status: 201 })
    }),
  )
  await renderPage('/submission/s1/mark', ben)
  await button('Appeal').click()
  const dialog = page.getByRole('dialog', { name: 'Appeal' })
  await dialog.getByLabelText('Reason').fill('Nobody read page two.')
  await button('Submit', dialog).click()
  await answerBox('Success!', 'Two new reviewers will look at it. Your mark stands until then.')
  expect(sent).toEqual({ reason: 'Nobody read page two.' })
})
