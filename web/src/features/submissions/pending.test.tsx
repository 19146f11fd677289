import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderPage } from '@/test/render-page'
import { ada, ben, sampleAssignment, samplePending } from '@/test/samples'
import { answerBox, button, textbox, texts } from '@/test/screen'
import { serve } from '@/test/serve'

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

test('a rubric is a choice for each criterion, with the sum beside', async () => {
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

test('a review of sample work is compared with the creator’s levels, criterion by criterion', async () => {
  const exemplar = { mark: 10, reason: 'Says nothing new.', levels: [0, 1] }
  serve(
    list(openToReview),
    http.post('*/api/reviews/next', () => HttpResponse.json({ ...task, rubric })),
    http.get('*/api/assignment/a1', () => HttpResponse.json(sampleAssignment())),
    http.patch('*/api/submissions/r1', () => HttpResponse.json({ modifiedCount: 1, exemplar })),
  )
  await renderPage('/pending-assignments', ada)
  await button('Review next').click()
  await expect.element(dialog.getByText('Heron', { exact: true })).toBeVisible()
  for (const criterion of ['Argument', 'Language']) {
    await dialog
      .getByRole('group', { name: criterion })
      .getByRole('radio', { name: 'Strong 10 marks' })
      .click()
  }
  await button('Submit', dialog).click()
  const told = page.getByRole('dialog', { name: 'Success' })
  await expect
    .element(told.getByText('This was sample work, known to be worth 10 of 20: Says nothing new.'))
    .toBeVisible()
  expect(texts(told.getByRole('row'))).toEqual([
    'CriterionYouCreator',
    'Argument10 Strong0 Weak',
    'Language10 Strong10 Strong',
    'Mark2010',
  ])
})

test('two keys, Ctrl+Enter and Enter make a review, and the next one opens', async () => {
  const sent: unknown[] = []
  const tasks = [task, { ...task, submissionId: 'r2' }]
  serve(
    list(openToReview),
    http.post('*/api/reviews/next', () => HttpResponse.json({ ...tasks[sent.length], rubric })),
    http.get('*/api/assignment/a1', () => HttpResponse.json(sampleAssignment())),
    http.patch('*/api/submissions/:id', async ({ request, params }) => {
      sent.push([params.id, await request.json()])
      return HttpResponse.json({ modifiedCount: 1 })
    }),
  )
  await renderPage('/pending-assignments', ada)
  await button('Review next').click()
  await expect.element(dialog.getByRole('group', { name: 'Argument' })).toBeVisible()
  await userEvent.keyboard('21{Control>}{Enter}{/Control}')
  await expect.element(button('Next', page.getByRole('dialog', { name: 'Success' }))).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(dialog.getByText('0 of 20 marks')).toBeVisible()
  expect(sent).toEqual([['r1', { levels: [1, 0], feedback: '' }]])

  // In a text box digits are text; a digit that no level has does nothing.
  await userEvent.keyboard('9')
  const comment = dialog.getByRole('textbox', { name: 'Comment on Language' })
  await comment.fill('Step 2 is hard to follow.')
  await userEvent.keyboard('12')
  await dialog.getByRole('group', { name: 'Argument' }).getByRole('radio', { name: 'Weak 0 marks' }).click()
  await dialog
    .getByRole('group', { name: 'Language' })
    .getByRole('radio', { name: 'Strong 10 marks' })
    .click()
  const check = dialog.getByRole('region', { name: 'Before you send' })
  await expect.element(check.getByText('“Argument” has a level, but no words.')).toBeVisible()
  await expect
    .element(check.getByText('What you say about “Language” sounds critical, but its level is the highest.'))
    .toBeVisible()
  await textbox('Feedback', dialog).fill('A clear argument.')
  await expect.element(check.getByText(/Argument/)).not.toBeInTheDocument()
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await answerBox('Success', 'Assignment marked successfully!')
  expect(sent[1]).toEqual([
    'r2',
    { levels: [0, 1], feedback: '**Language**\n\nStep 2 is hard to follow.12\n\nA clear argument.' },
  ])
})

test('digits without a rubric are typed as the mark', async () => {
  serve(
    list(samplePending()),
    http.get('*/api/assignment/a1', () => HttpResponse.json(sampleAssignment())),
  )
  await renderPage('/pending-assignments', ada)
  await button('Give Mark').click()
  await expect.element(marks).toBeVisible()
  await userEvent.keyboard('17')
  await expect.element(marks).toHaveValue(17)
})

test('comments count towards the length of the feedback', async () => {
  serve(
    list(openToReview),
    http.post('*/api/reviews/next', () => HttpResponse.json({ ...task, rubric })),
    http.get('*/api/assignment/a1', () => HttpResponse.json(sampleAssignment())),
  )
  await renderPage('/pending-assignments', ada)
  await button('Review next').click()
  await expect.element(dialog.getByRole('group', { name: 'Argument' })).toBeVisible()
  await userEvent.keyboard('22')
  await dialog.getByRole('textbox', { name: 'Comment on Argument' }).fill('x'.repeat(4990))
  await button('Submit', dialog).click()
  await expect
    .element(dialog.getByText('At most 5,000 characters, together with the comments.'))
    .toBeVisible()
})

test.each([
  ['already-graded', 409, 'Someone has already marked this submission.'],
  ['already-reviewed', 409, 'You have already reviewed this submission, in another tab or browser.'],
  ['not-found', 404, 'This submission is gone: it was withdrawn, or a moderator has hidden it.'],
])('what was typed stays, to be copied, after %s', async (code, status, text) => {
  serve(
    list(openToReview),
    http.post('*/api/reviews/next', () => HttpResponse.json(task)),
    http.get('*/api/assignment/a1', () => HttpResponse.json(sampleAssignment())),
    http.patch('*/api/submissions/r1', () => HttpResponse.json({ code, detail: 'x' }, { status })),
  )
  await renderPage('/pending-assignments', ada)
  await button('Review next').click()
  await marks.fill('7')
  await textbox('Feedback', dialog).fill('Well argued.')
  await button('Submit', dialog).click()
  await answerBox('Error', text)
  await expect.element(dialog.getByText('Your review was not sent.', { exact: false })).toBeVisible()
  await expect.element(textbox('Feedback', dialog)).toHaveValue('Well argued.')
  await expect.element(button('Copy what I wrote', dialog)).toBeVisible()
  await expect.element(button('Submit', dialog)).not.toBeInTheDocument()
  await button('Close', dialog).click()
  await expect.element(dialog).not.toBeInTheDocument()
})

test('a document is shown after a press, and later ones at once', async () => {
  serve(
    list(openToReview),
    http.post('*/api/reviews/next', () => HttpResponse.json(task)),
    http.get('*/api/assignment/a1', () => HttpResponse.json(sampleAssignment())),
  )
  await renderPage('/pending-assignments', ada)
  await button('Review next').click()
  const frame = () => document.querySelector('iframe')
  await expect.element(button('Show document here', dialog)).toBeVisible()
  expect(frame()).toBeNull()
  await button('Show document here', dialog).click()
  await expect.element(dialog.getByTitle('Document')).toHaveAttribute('referrerpolicy', 'no-referrer')
  expect(frame()?.src).toBe('https://docs.google.com/document/d/1/preview')
  expect(frame()?.getAttribute('sandbox')).toBe('allow-scripts allow-same-origin allow-popups')
  expect(frame()?.hasAttribute('credentialless')).toBe(true)
  await button('Cancel', dialog).click()
  await button('Review next').click()
  await expect.element(dialog.getByTitle('Document')).toBeVisible()
  await page.viewport(800, 800)
  await expect.element(dialog.getByTitle('Document')).not.toBeInTheDocument()
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
  const { submissionId, assignmentId, assignmentTitle, until } = task
  serve(
    list(),
    http.get('*/api/reviews/lease', () =>
      HttpResponse.json({ submissionId, assignmentId, assignmentTitle, until }),
    ),
    http.post('*/api/reviews/next', async ({ request }) => {
      asked.push(await request.json())
      return HttpResponse.json(task)
    }),
    http.get('*/api/assignment/a1', () => HttpResponse.json(sampleAssignment())),
  )
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
