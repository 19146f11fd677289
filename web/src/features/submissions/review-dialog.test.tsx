import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderPage } from '@/test/render-page'
import { markDialog, openToReview, pendingList, reviewTask, reviewsToGive } from '@/test/review'
import { ada, sampleAssignment, samplePending } from '@/test/samples'
import { answerBox, button, textbox, texts } from '@/test/screen'
import { serve } from '@/test/serve'

const marks = markDialog.getByLabelText('Marks')

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

test('a rubric offers one choice for each criterion and shows the sum', async () => {
  let sent: unknown
  serve(
    pendingList(openToReview),
    http.post('*/api/reviews/next', () => HttpResponse.json({ ...reviewTask, rubric })),
    http.get('*/api/assignment/a1', () => HttpResponse.json(sampleAssignment())),
    http.patch('*/api/submissions/r1', async ({ request }) => {
      sent = await request.json()
      return HttpResponse.json({ modifiedCount: 1 })
    }),
  )
  await renderPage('/pending-assignments', ada)
  await button('Review next').click()
  const choose = (criterion: string, level: string) =>
    markDialog.getByRole('group', { name: criterion }).getByRole('radio', { name: level }).click()
  await choose('Argument', 'Strong 10 marks')
  await expect.element(markDialog.getByText(/^10 of 20 marks$/)).toBeVisible()
  await button('Submit', markDialog).click()
  await expect.element(markDialog.getByText('Choose a level.')).toBeVisible()
  await choose('Language', 'Weak 0 marks')
  await button('Submit', markDialog).click()
  await answerBox('Success', 'Assignment marked successfully!')
  expect(sent).toEqual({ levels: [1, 0], feedback: '' })
})

test('a review of sample work is compared with the creator’s levels, criterion by criterion', async () => {
  const exemplar = { mark: 10, reason: 'Says nothing new.', levels: [0, 1] }
  serve(
    pendingList(openToReview),
    http.post('*/api/reviews/next', () => HttpResponse.json({ ...reviewTask, rubric })),
    http.get('*/api/assignment/a1', () => HttpResponse.json(sampleAssignment())),
    http.patch('*/api/submissions/r1', () => HttpResponse.json({ modifiedCount: 1, exemplar })),
  )
  await renderPage('/pending-assignments', ada)
  await button('Review next').click()
  await expect.element(markDialog.getByText('Heron', { exact: true })).toBeVisible()
  for (const criterion of ['Argument', 'Language']) {
    await markDialog
      .getByRole('group', { name: criterion })
      .getByRole('radio', { name: 'Strong 10 marks' })
      .click()
  }
  await button('Submit', markDialog).click()
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

test('two keys, Ctrl+Enter and Enter submit a review and open the next one', async () => {
  const sent: unknown[] = []
  const tasks = [reviewTask, { ...reviewTask, submissionId: 'r2' }]
  serve(
    pendingList(openToReview),
    http.post('*/api/reviews/next', () => HttpResponse.json({ ...tasks[sent.length], rubric })),
    http.get('*/api/progress', () => HttpResponse.json({ data: [reviewsToGive(2 - sent.length)] })),
    http.get('*/api/assignment/a1', () => HttpResponse.json(sampleAssignment())),
    http.patch('*/api/submissions/:id', async ({ request, params }) => {
      sent.push([params.id, await request.json()])
      return HttpResponse.json({ modifiedCount: 1 })
    }),
  )
  await renderPage('/pending-assignments', ada)
  await button('Review next').click()
  await expect.element(markDialog.getByRole('group', { name: 'Argument' })).toBeVisible()
  await userEvent.keyboard('21{Control>}{Enter}{/Control}')
  await expect.element(button('Next', page.getByRole('dialog', { name: 'Success' }))).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(markDialog.getByText('-- of 20 marks')).toBeVisible()
  expect(sent).toEqual([['r1', { levels: [1, 0], feedback: '' }]])

  // In a text box digits are text; a digit that no level has does nothing.
  await userEvent.keyboard('9')
  const comment = markDialog.getByRole('textbox', { name: 'Comment on Language' })
  await comment.fill('Step 2 is hard to follow.')
  await userEvent.keyboard('12')
  await markDialog
    .getByRole('group', { name: 'Argument' })
    .getByRole('radio', { name: 'Weak 0 marks' })
    .click()
  await markDialog
    .getByRole('group', { name: 'Language' })
    .getByRole('radio', { name: 'Strong 10 marks' })
    .click()
  const check = markDialog.getByRole('region', { name: 'Before you send' })
  await expect.element(check.getByText('“Argument” has a level, but no comment.')).toBeVisible()
  await expect
    .element(check.getByText('What you say about “Language” sounds critical, but its level is the highest.'))
    .toBeVisible()
  await textbox('Feedback', markDialog).fill('A clear argument.')
  await expect.element(check.getByText(/Argument/)).not.toBeInTheDocument()
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await answerBox('Success', 'Assignment marked successfully!')
  expect(sent[1]).toEqual([
    'r2',
    { levels: [0, 1], feedback: '**Language**\n\nStep 2 is hard to follow.12\n\nA clear argument.' },
  ])
})

test('without a rubric, digits are typed into the mark', async () => {
  serve(
    pendingList(samplePending()),
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
    pendingList(openToReview),
    http.post('*/api/reviews/next', () => HttpResponse.json({ ...reviewTask, rubric })),
    http.get('*/api/assignment/a1', () => HttpResponse.json(sampleAssignment())),
  )
  await renderPage('/pending-assignments', ada)
  await button('Review next').click()
  await expect.element(markDialog.getByRole('group', { name: 'Argument' })).toBeVisible()
  await userEvent.keyboard('22')
  await markDialog.getByRole('textbox', { name: 'Comment on Argument' }).fill('x'.repeat(4990))
  await button('Submit', markDialog).click()
  await expect
    .element(markDialog.getByText('At most 5,000 characters, together with the comments.'))
    .toBeVisible()
})

test.each([
  ['already-graded', 409, 'Someone has already marked this submission.'],
  ['already-reviewed', 409, 'You have already reviewed this submission, in another tab or browser.'],
  ['not-found', 404, 'This submission is gone: it was withdrawn, or a moderator has hidden it.'],
])('what was typed stays, to be copied, after %s', async (code, status, text) => {
  serve(
    pendingList(openToReview),
    http.post('*/api/reviews/next', () => HttpResponse.json(reviewTask)),
    http.get('*/api/assignment/a1', () => HttpResponse.json(sampleAssignment())),
    http.patch('*/api/submissions/r1', () => HttpResponse.json({ code, detail: 'x' }, { status })),
  )
  await renderPage('/pending-assignments', ada)
  await button('Review next').click()
  await marks.fill('7')
  await textbox('Feedback', markDialog).fill('Well argued.')
  await button('Submit', markDialog).click()
  await answerBox('Error', text)
  await expect.element(markDialog.getByText('Your review was not sent.', { exact: false })).toBeVisible()
  await expect.element(textbox('Feedback', markDialog)).toHaveValue('Well argued.')
  await expect.element(button('Copy what I wrote', markDialog)).toBeVisible()
  await expect.element(button('Submit', markDialog)).not.toBeInTheDocument()
  await button('Close', markDialog).click()
  await expect.element(markDialog).not.toBeInTheDocument()
})

test('a document is shown on request, and later documents at once', async () => {
  serve(
    pendingList(openToReview),
    http.post('*/api/reviews/next', () => HttpResponse.json(reviewTask)),
    http.get('*/api/assignment/a1', () => HttpResponse.json(sampleAssignment())),
  )
  await renderPage('/pending-assignments', ada)
  await button('Review next').click()
  const frame = () => document.querySelector('iframe')
  await expect.element(button('Show document here', markDialog)).toBeVisible()
  expect(frame()).toBeNull()
  await button('Show document here', markDialog).click()
  await expect.element(markDialog.getByTitle('Document')).toHaveAttribute('referrerpolicy', 'no-referrer')
  expect(frame()?.src).toBe('https://docs.google.com/document/d/1/preview')
  expect(frame()?.getAttribute('sandbox')).toBe('allow-scripts allow-same-origin allow-popups')
  expect(frame()?.hasAttribute('credentialless')).toBe(true)
  await button('Cancel', markDialog).click()
  await button('Review next').click()
  await expect.element(markDialog.getByTitle('Document')).toBeVisible()
  await page.viewport(800, 800)
  await expect.element(markDialog.getByTitle('Document')).not.toBeInTheDocument()
})

test('the last review ends with what the reviewer has done', async () => {
  let sent = false
  serve(
    pendingList(openToReview),
    http.post('*/api/reviews/next', () => HttpResponse.json(reviewTask)),
    http.get('*/api/progress', () => HttpResponse.json({ data: [reviewsToGive(sent ? 0 : 1)] })),
    http.get('*/api/assignment/a1', () => HttpResponse.json(sampleAssignment())),
    http.patch('*/api/submissions/r1', () => {
      sent = true
      return HttpResponse.json({ modifiedCount: 1 })
    }),
  )
  await renderPage('/pending-assignments', ada)
  await button('Review next').click()
  await marks.fill('7')
  await button('Submit', markDialog).click()
  const told = page.getByRole('dialog', { name: 'Success' })
  await expect
    .element(told.getByText('You have given your reviews, 2 in all. No more work to review.'))
    .toBeVisible()
  await expect.element(button('Next', told)).not.toBeInTheDocument()
  await answerBox('Success', 'Assignment marked successfully!')
})
