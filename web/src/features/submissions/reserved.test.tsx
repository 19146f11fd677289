import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { queryClient } from '@/lib/query-client'
import { renderPage } from '@/test/render-page'
import { markDialog, openToReview, pendingList, reviewTask } from '@/test/review'
import { ada, sampleAssignment } from '@/test/samples'
import { answerBox, button, textbox } from '@/test/screen'
import { serve } from '@/test/serve'
import { reservedQuery } from '@/entities/submission/queries'

const marks = markDialog.getByLabelText('Marks')

test('a reserved submission can be reported, and the review continues', async () => {
  const sent: unknown[] = []
  serve(
    pendingList(openToReview),
    http.post('*/api/reviews/next', () => HttpResponse.json(reviewTask)),
    http.get('*/api/assignment/a1', () => HttpResponse.json(sampleAssignment())),
    http.post('*/api/submissions/:id/report', async ({ request, params }) => {
      sent.push([params.id, await request.json()])
      return HttpResponse.json({ insertedId: 'p1' }, { status: 201 })
    }),
  )
  await renderPage('/pending-assignments', ada)
  await button('Review next').click()
  await marks.fill('7')
  await button('Report', markDialog).click()
  const report = page.getByRole('dialog', { name: 'Report' })
  await report.getByLabelText('Reason').fill('Copied')
  await button('Report', report).click()
  await expect.element(page.getByText('Thank you. A moderator will look at it.')).toBeVisible()
  await expect.element(report).not.toBeInTheDocument()
  expect(sent).toEqual([['r1', { reason: 'Copied' }]])
  await expect.element(marks).toHaveValue(7)
})

test('a reserved submission can be given back', async () => {
  let given = 0
  serve(
    pendingList(openToReview),
    http.post('*/api/reviews/next', () => HttpResponse.json(reviewTask)),
    http.get('*/api/assignment/a1', () => HttpResponse.json(sampleAssignment())),
    http.delete('*/api/reviews/lease/r1', () => {
      given++
      return given === 1
        ? HttpResponse.json(
            { code: 'rate-limited', detail: 'You have given back two submissions today.' },
            { status: 429 },
          )
        : HttpResponse.json({ deletedCount: 1 })
    }),
  )
  await renderPage('/pending-assignments', ada)
  await button('Review next').click()
  await button('Give back', markDialog).click()
  await answerBox('Give it back?', null, 'Give back')
  await answerBox('Error', 'You have given back two submissions today.')
  await button('Give back', markDialog).click()
  await answerBox('Give it back?', null, 'Give back')
  await expect.element(markDialog).not.toBeInTheDocument()
  await expect.element(page.getByText('Given back. Thank you for looking.')).toBeVisible()
  await expect.element(button('Continue')).not.toBeInTheDocument()
})

test('a reserved submission that left the list can be reopened', async () => {
  const asked: unknown[] = []
  const { submissionId, assignmentId, assignmentTitle, until } = reviewTask
  serve(
    pendingList(),
    http.get('*/api/reviews/lease', () =>
      HttpResponse.json({ submissionId, assignmentId, assignmentTitle, until }),
    ),
    http.post('*/api/reviews/next', async ({ request }) => {
      asked.push(await request.json())
      return HttpResponse.json(reviewTask)
    }),
    http.get('*/api/assignment/a1', () => HttpResponse.json(sampleAssignment())),
  )
  await renderPage('/pending-assignments', ada)
  const notice = page.getByRole('region', { name: 'Reserved for you' })
  await expect
    .element(notice.getByText(/It is kept for you until 2099\/02\/0\d, then others may take it\.$/))
    .toBeVisible()
  await button('Continue').click()
  await expect.element(markDialog.getByText(/^Reserved for you until/)).toBeVisible()
  expect(asked).toEqual([{}])
})

test('a reservation for another assignment is named first', async () => {
  serve(
    pendingList(openToReview),
    http.post('*/api/reviews/next', () => HttpResponse.json({ ...reviewTask, assignmentId: 'a2' })),
    http.get('*/api/assignment/a2', () => HttpResponse.json(sampleAssignment({ _id: 'a2' }))),
  )
  await renderPage('/pending-assignments', ada)
  await button('Review next').click()
  await expect.element(markDialog.getByText(/^Finish or return this review/)).toBeVisible()
})

test('a reviewer is told before reviewing that the circle counts accuracy', async () => {
  let countsAccuracy = true
  serve(
    pendingList(openToReview),
    http.post('*/api/reviews/next', () => HttpResponse.json({ ...reviewTask, countsAccuracy })),
    http.get('*/api/assignment/a1', () => HttpResponse.json(sampleAssignment())),
  )
  await renderPage('/pending-assignments', ada)
  await button('Review next').click()
  await expect.element(markDialog.getByText(/^This circle counts accuracy/)).toBeVisible()
  countsAccuracy = false
  await renderPage('/pending-assignments', ada)
  await button('Review next').click()
  await expect.element(markDialog.getByText(/^Reserved for you until/)).toBeVisible()
  await expect.element(markDialog.getByText(/^This circle counts accuracy/)).not.toBeInTheDocument()
})

test('a draft outlives its reservation, and a review that another user submitted first', async () => {
  const over = new Date(Date.now() - 1_000).toISOString()
  serve(
    pendingList(openToReview),
    http.post('*/api/reviews/next', () => HttpResponse.json({ ...reviewTask, until: over })),
    http.get('*/api/assignment/a1', () => HttpResponse.json(sampleAssignment())),
    http.patch('*/api/submissions/r1', () =>
      HttpResponse.json({ code: 'not-leased', detail: 'x' }, { status: 403 }),
    ),
  )
  await renderPage('/pending-assignments', ada)
  await button('Review next').click()
  await expect.element(markDialog.getByText(/^It is no longer reserved for you\./)).toBeVisible()
  await marks.fill('7')
  await textbox('Feedback', markDialog).fill('Well argued.')
  await button('Submit', markDialog).click()
  await answerBox(
    'Error',
    'It is no longer reserved for you, and others have it now. What you wrote is still here.',
  )
  await expect.element(marks).toHaveValue(7)
  await expect.element(textbox('Feedback', markDialog)).toHaveValue('Well argued.')
})

test('a reservation that is over and then prolonged is shown as one again', async () => {
  const until = new Date(Date.now() - 1_000).toISOString()
  let held: object | null = null
  serve(
    pendingList(openToReview),
    http.get('*/api/reviews/lease', () => HttpResponse.json(held)),
    http.post('*/api/reviews/next', () => HttpResponse.json({ ...reviewTask, until })),
    http.get('*/api/assignment/a1', () => HttpResponse.json(sampleAssignment())),
  )
  await renderPage('/pending-assignments', ada)
  await button('Review next').click()
  await expect.element(markDialog.getByText(/^It is no longer reserved for you\./)).toBeVisible()
  held = { ...reviewTask }
  await queryClient.invalidateQueries({ queryKey: reservedQuery.queryKey })
  await expect.element(markDialog.getByText(/^Reserved for you until 2099/)).toBeVisible()
  await expect.element(markDialog.getByText(/^It is no longer reserved/)).not.toBeInTheDocument()
})
