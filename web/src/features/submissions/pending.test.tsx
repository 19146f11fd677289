import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { keepDraftsOf } from '@/lib/drafts'
import { renderPage } from '@/test/render-page'
import { ada, ben, sampleAssignment, samplePending } from '@/test/samples'
import { answerBox, button, textbox, texts } from '@/test/screen'
import { serve } from '@/test/serve'
import { holdReview } from './held-review'

const cells = page.getByRole('row').nth(1).getByRole('cell')
const dialog = page.getByRole('dialog', { name: 'Mark Assignment' })
const marks = dialog.getByLabelText('Marks')

const list = (...rows: object[]) => http.get('*/api/submissions', () => HttpResponse.json(rows))

test('the list falls back for what is missing', async () => {
  serve(list({ _id: 'x', assignmentId: 'y', status: 'pending', late: true, docsLink: 'https://e.org' }))
  await renderPage('/pending-assignments', ada)
  await expect
    .poll(() => texts(cells))
    .toEqual(['UntitledIts assignment is gone.', 'N/A', 'UnknownLate', 'Give Mark'])
  await expect.element(cells.nth(0).getByRole('link')).not.toBeInTheDocument()
})

test('people are faces and names, with their address; titles lead to their assignment', async () => {
  serve(list(samplePending({ submitterName: 'Ben', dueDate: '2026-02-01T23:59:59Z' })))
  await renderPage('/pending-assignments', ada)
  await expect
    .poll(() => texts(cells))
    .toEqual(['Fractions in shortDue 2026/02/01', '20', `Ben${ben.email}`, 'Give Mark'])
  await expect
    .element(cells.getByRole('link', { name: 'Fractions in short' }))
    .toHaveAttribute('href', '/assignment/a1')
})

test('the task that could not be fetched is asked for again', async () => {
  let failing = true
  serve(
    list(samplePending({ dueDate: '2099-02-01T23:59:59Z' })),
    http.get('*/api/assignment/a1', () =>
      failing
        ? HttpResponse.json({ detail: 'Away.' }, { status: 503, headers: { 'Retry-After': '1' } })
        : HttpResponse.json(sampleAssignment()),
    ),
  )
  await renderPage('/pending-assignments', ada)
  await button('Give Mark').click()
  await expect
    .element(dialog.getByText('The task could not be fetched. Away. Try again in 1 second.'))
    .toBeVisible()
  failing = false
  await button('Retry', dialog).click()
  await expect.element(dialog.getByText('Say what you think.')).toBeVisible()
})

test('a mark out of bounds is refused, and a failed grade says so', async () => {
  serve(
    list(samplePending({ marks: 30, note: 'Be kind' })),
    http.patch('*/api/submissions/s1', () => HttpResponse.json({ detail: 'x' }, { status: 500 })),
  )
  await renderPage('/pending-assignments', ada)
  await button('Give Mark').click()
  for (const wrong of ['', '31', '-1', '7.5']) {
    await marks.fill(wrong)
    await button('Submit', dialog).click()
    await expect.element(marks).toHaveAttribute('aria-invalid', 'true')
    await expect.element(marks).toHaveFocus()
  }
  await marks.fill('30')
  await button('Submit', dialog).click()
  await answerBox('Error', 'Something went wrong')
  await expect.element(marks).toHaveValue(30)
})

test('a grade that was not kept', async () => {
  serve(
    list(samplePending()),
    http.patch('*/api/submissions/s1', () => HttpResponse.json({ modifiedCount: 0 })),
  )
  await renderPage('/pending-assignments', ada)
  await button('Give Mark').click()
  await marks.fill('3')
  await button('Submit', dialog).click()
  await answerBox('Error', 'Something went wrong')
  await expect.element(marks).toHaveValue(3)
})

const openToReview = {
  assignmentId: 'a1',
  assignmentTitle: 'Fractions in short',
  marks: 20,
  status: 'pending',
  submittedBy: null,
  reviewable: 2,
}
const task = {
  submissionId: 'r1',
  assignmentId: 'a1',
  assignmentTitle: 'Fractions in short',
  description: 'Say what you think.',
  label: 'Heron',
  docsLink: 'https://docs.google.com/document/d/1',
  marks: 20,
  until: '2099-02-03T04:05:06Z',
}

test('what several people review is one row, without a name, and is given out', async () => {
  let sent: unknown
  serve(
    list(openToReview),
    http.post('*/api/reviews/next', () => HttpResponse.json(task)),
    http.get('*/api/assignment/a1', () => HttpResponse.json(sampleAssignment())),
    http.patch('*/api/submissions/r1', async ({ request }) => {
      sent = await request.json()
      return HttpResponse.json({ modifiedCount: 1 })
    }),
  )
  await renderPage('/pending-assignments', ada)
  await expect
    .poll(() => texts(cells))
    .toEqual(['Fractions in short2 submissions to review', '20', 'Unknown', 'Review next'])
  await button('Review next').click()
  await expect.element(dialog.getByText(/^Reserved for you until 2099\/02\/0/)).toBeVisible()
  await marks.fill('7')
  await button('Submit', dialog).click()
  await answerBox('Success', 'Assignment marked successfully!')
  expect(sent).toEqual({ marks: 7, feedback: '' })
})

test('a rubric is a choice for each criterion, with the sum beside', async () => {
  const levels = [
    { label: 'Weak', marks: 0 },
    { label: 'Strong', marks: 10 },
  ]
  const rubric = {
    criteria: [
      { title: 'Argument', levels },
      { title: 'Language', levels },
    ],
  }
  let sent: unknown
  serve(
    list(openToReview),
    http.post('*/api/reviews/next', () => HttpResponse.json({ ...task, rubric })),
    http.get('*/api/assignment/a1', () => HttpResponse.json(sampleAssignment())),
    http.patch('*/api/submissions/r1', async ({ request }) => {
      sent = await request.json()
      return HttpResponse.json({ modifiedCount: 1 })
    }),
  )
  await renderPage('/pending-assignments', ada)
  await button('Review next').click()
  const choose = (criterion: string, level: string) =>
    dialog.getByRole('group', { name: criterion }).getByRole('radio', { name: level }).click()
  await choose('Argument', 'Strong 10 marks')
  await expect.element(dialog.getByText(/^10 of 20 marks$/)).toBeVisible()
  await button('Submit', dialog).click()
  await expect.element(dialog.getByText('Choose a level.')).toBeVisible()
  await choose('Language', 'Weak 0 marks')
  await button('Submit', dialog).click()
  await answerBox('Success', 'Assignment marked successfully!')
  expect(sent).toEqual({ levels: [1, 0], feedback: '' })
})

test('nothing to review is said', async () => {
  serve(
    list(openToReview),
    http.post('*/api/reviews/next', () => new HttpResponse(null, { status: 204 })),
  )
  await renderPage('/pending-assignments', ada)
  await button('Review next').click()
  await answerBox('Nothing to review', 'There is nothing here for you to review now.')
})

test('what is reserved can be reported, and the review goes on', async () => {
  const sent: unknown[] = []
  serve(
    list(openToReview),
    http.post('*/api/reviews/next', () => HttpResponse.json(task)),
    http.get('*/api/assignment/a1', () => HttpResponse.json(sampleAssignment())),
    http.post('*/api/submissions/:id/report', async ({ request, params }) => {
      sent.push([params.id, await request.json()])
      return HttpResponse.json({ insertedId: 'p1' }, { status: 201 })
    }),
  )
  await renderPage('/pending-assignments', ada)
  await button('Review next').click()
  await marks.fill('7')
  await button('Report', dialog).click()
  const report = page.getByRole('dialog', { name: 'Report' })
  await report.getByLabelText('Reason').fill('Copied')
  await button('Report', report).click()
  await expect.element(page.getByText('Thank you. A moderator will look at it.')).toBeVisible()
  await expect.element(report).not.toBeInTheDocument()
  expect(sent).toEqual([['r1', { reason: 'Copied' }]])
  await expect.element(marks).toHaveValue(7)
})

test('what is reserved can be given back', async () => {
  let given = 0
  serve(
    list(openToReview),
    http.post('*/api/reviews/next', () => HttpResponse.json(task)),
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
  await button('Give back', dialog).click()
  await answerBox('Give it back?', null, 'Give back')
  await answerBox('Error', 'You have given back two submissions today.')
  await button('Give back', dialog).click()
  await answerBox('Give it back?', null, 'Give back')
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(page.getByText('Given back. Thank you for looking.')).toBeVisible()
  await expect.element(button('Continue')).not.toBeInTheDocument()
})

test('what is reserved is found again where the list no longer has it', async () => {
  const asked: unknown[] = []
  serve(
    list(),
    http.post('*/api/reviews/next', async ({ request }) => {
      asked.push(await request.json())
      return HttpResponse.json(task)
    }),
    http.get('*/api/assignment/a1', () => HttpResponse.json(sampleAssignment())),
  )
  keepDraftsOf(ada.email)
  holdReview(task)
  await renderPage('/pending-assignments', ada)
  await button('Continue').click()
  await expect.element(dialog.getByText(/^Reserved for you until/)).toBeVisible()
  expect(asked).toEqual([{}])
})

test('another one than asked for says that it waits still', async () => {
  serve(
    list(openToReview),
    http.post('*/api/reviews/next', () => HttpResponse.json({ ...task, assignmentId: 'a2' })),
    http.get('*/api/assignment/a2', () => HttpResponse.json(sampleAssignment({ _id: 'a2' }))),
  )
  await renderPage('/pending-assignments', ada)
  await button('Review next').click()
  await expect.element(dialog.getByText(/^Finish or return this review/)).toBeVisible()
})

test('what was written outlives the reservation, and others who were quicker', async () => {
  const over = new Date(Date.now() - 1_000).toISOString()
  serve(
    list(openToReview),
    http.post('*/api/reviews/next', () => HttpResponse.json({ ...task, until: over })),
    http.get('*/api/assignment/a1', () => HttpResponse.json(sampleAssignment())),
    http.patch('*/api/submissions/r1', () =>
      HttpResponse.json({ code: 'not-leased', detail: 'x' }, { status: 403 }),
    ),
  )
  await renderPage('/pending-assignments', ada)
  await button('Review next').click()
  await expect.element(dialog.getByText(/^It is no longer reserved for you\./)).toBeVisible()
  await marks.fill('7')
  await textbox('Feedback', dialog).fill('Well argued.')
  await button('Submit', dialog).click()
  await answerBox(
    'Error',
    'It is no longer reserved for you, and others have it now. What you wrote is still here.',
  )
  await expect.element(marks).toHaveValue(7)
  await expect.element(textbox('Feedback', dialog)).toHaveValue('Well argued.')
})
