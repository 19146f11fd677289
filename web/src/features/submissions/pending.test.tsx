import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { renderPage } from '@/test/render-page'
import { markDialog, openToReview, pendingList, reviewTask } from '@/test/review'
import { ada, ben, sampleAssignment, samplePending } from '@/test/samples'
import { answerBox, button, texts } from '@/test/screen'
import { serve } from '@/test/serve'

const cells = page.getByRole('row').nth(1).getByRole('cell')
const marks = markDialog.getByLabelText('Marks')

test('rows without title, marks or submitter have fallbacks', async () => {
  serve(
    pendingList({ _id: 'x', assignmentId: 'y', status: 'pending', late: true, docsLink: 'https://e.org' }),
  )
  await renderPage('/pending-assignments', ada)
  await expect
    .poll(() => texts(cells))
    .toEqual(['UntitledIts assignment was deleted.', 'N/A', 'UnknownLate', 'Give Mark'])
  await expect.element(cells.nth(0).getByRole('link')).not.toBeInTheDocument()
})

test('a row has the submitter’s name and address and links to its assignment', async () => {
  serve(pendingList(samplePending({ submitterName: 'Ben', dueDate: '2026-02-01T23:59:59Z' })))
  await renderPage('/pending-assignments', ada)
  await expect
    .poll(() => texts(cells))
    .toEqual(['Fractions in shortDue 2026/02/01', '20', `Ben${ben.email}`, 'Give Mark'])
  await expect
    .element(cells.getByRole('link', { name: 'Fractions in short' }))
    .toHaveAttribute('href', '/assignment/a1')
})

test('Retry fetches a task that failed to load', async () => {
  let failing = true
  serve(
    pendingList(samplePending({ dueDate: '2099-02-01T23:59:59Z' })),
    http.get('*/api/assignment/a1', () =>
      failing
        ? HttpResponse.json({ detail: 'Away.' }, { status: 503, headers: { 'Retry-After': '1' } })
        : HttpResponse.json(sampleAssignment()),
    ),
  )
  await renderPage('/pending-assignments', ada)
  await button('Give Mark').click()
  await expect
    .element(markDialog.getByText('The task could not be loaded. Away. Try again in 1 second.'))
    .toBeVisible()
  failing = false
  await button('Retry', markDialog).click()
  await expect.element(markDialog.getByText('Say what you think.')).toBeVisible()
})

test('a mark out of bounds is refused, and a failed grade is reported', async () => {
  serve(
    pendingList(samplePending({ marks: 30, note: 'Be kind' })),
    http.patch('*/api/submissions/s1', () => HttpResponse.json({ detail: 'x' }, { status: 500 })),
  )
  await renderPage('/pending-assignments', ada)
  await button('Give Mark').click()
  for (const wrong of ['', '31', '-1', '7.5']) {
    await marks.fill(wrong)
    await button('Submit', markDialog).click()
    await expect.element(marks).toHaveAttribute('aria-invalid', 'true')
    await expect.element(marks).toHaveFocus()
  }
  await marks.fill('30')
  await button('Submit', markDialog).click()
  await answerBox('Error', 'Something went wrong')
  await expect.element(marks).toHaveValue(30)
})

test('a grade that the server did not keep is reported', async () => {
  serve(
    pendingList(samplePending()),
    http.patch('*/api/submissions/s1', () => HttpResponse.json({ modifiedCount: 0 })),
  )
  await renderPage('/pending-assignments', ada)
  await button('Give Mark').click()
  await marks.fill('3')
  await button('Submit', markDialog).click()
  await answerBox('Error', 'Something went wrong')
  await expect.element(marks).toHaveValue(3)
})

test('an assignment with several reviews is one anonymous row, from which the next review is reserved', async () => {
  let sent: unknown
  serve(
    pendingList(openToReview),
    http.post('*/api/reviews/next', () => HttpResponse.json(reviewTask)),
    http.get('*/api/assignment/a1', () => HttpResponse.json(sampleAssignment())),
    http.patch('*/api/submissions/r1', async ({ request }) => {
      sent = await request.json()
      return HttpResponse.json({ modifiedCount: 1 })
    }),
  )
  await renderPage('/pending-assignments', ada)
  await expect
    .poll(() => texts(cells))
    .toEqual(['Fractions in shortThere is work for you to review', '20', 'Unknown', 'Review next'])
  await button('Review next').click()
  await expect.element(markDialog.getByText(/^Reserved for you until 2099\/02\/0/)).toBeVisible()
  await marks.fill('7')
  await button('Submit', markDialog).click()
  await answerBox('Success', 'Assignment marked successfully!')
  expect(sent).toEqual({ marks: 7, feedback: '' })
})

test.for([
  ['an empty review queue', () => new HttpResponse(null, { status: 204 })],
  ['an assignment that is gone', () => HttpResponse.json({ code: 'not-found' }, { status: 404 })],
] as const)('%s has nothing to review', async ([, answer]) => {
  serve(pendingList(openToReview), http.post('*/api/reviews/next', answer))
  await renderPage('/pending-assignments', ada)
  await button('Review next').click()
  await answerBox('Nothing to review', 'There is nothing here for you to review now.')
})
