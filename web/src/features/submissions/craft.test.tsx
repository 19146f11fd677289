import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderPage } from '@/test/render-page'
import { markDialog, openToReview, pendingList, reviewTask } from '@/test/review'
import { ada, sampleAssignment } from '@/test/samples'
import { answerBox, button, textbox, texts } from '@/test/screen'
import { serve } from '@/test/serve'

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
const assignment = http.get('*/api/assignment/a1', () => HttpResponse.json(sampleAssignment()))
const problem = (status: number, code: string) =>
  HttpResponse.json({ code, status, title: 'No', detail: 'It is settled.' }, { status })

const given = (fields: object = {}) => ({
  _id: 'v1',
  submissionLabel: 'Heron',
  assignmentTitle: 'Fractions in short',
  mark: 10,
  day: '2026-02-03',
  may: { correct: true },
  ...fields,
})
const givenList = (...data: object[]) =>
  http.get('*/api/reviews', () =>
    HttpResponse.json({ data, pagination: { page: 1, limit: 20, total: data.length, totalPages: 1 } }),
  )

test('a review is corrected in the dialog in which it was written', async () => {
  const sent: unknown[] = []
  serve(
    givenList(
      given(),
      given({ _id: 'v2', submissionLabel: 'Otter', may: { correct: false }, settledMark: 9 }),
    ),
    http.get('*/api/reviews/v1', () =>
      HttpResponse.json({
        ...reviewTask,
        _id: 'v1',
        rubric,
        mark: 10,
        levels: [1, 0],
        feedback: 'Too short.',
      }),
    ),
    http.put('*/api/reviews/v1', async ({ request }) => {
      sent.push(await request.json())
      return sent.length > 1 ? problem(409, 'already-settled') : HttpResponse.json({ modifiedCount: 1 })
    }),
    assignment,
  )
  await renderPage('/reviews', ada)
  await expect.element(button('Correct')).toHaveLength(1)
  await button('Correct').click()
  const argument = markDialog.getByRole('group', { name: 'Argument' })
  await expect.element(argument.getByRole('radio', { name: 'Strong 10 marks' })).toBeChecked()
  await expect.element(textbox('Feedback', markDialog)).toHaveValue('Too short.')
  await expect.element(markDialog.getByText(/^Reserved for you/)).not.toBeInTheDocument()
  await argument.getByRole('radio', { name: 'Weak 0 marks' }).click()
  await textbox('Feedback', markDialog).fill('Too long.')
  await button('Submit', markDialog).click()
  await answerBox('Success', 'Your review is corrected.')
  expect(sent).toEqual([{ levels: [0, 0], feedback: 'Too long.' }])

  await button('Correct').click()
  await textbox('Feedback', markDialog).fill('Once more.')
  await button('Submit', markDialog).click()
  await answerBox('Error', 'It has its mark now, so your review can no longer change.')
  await expect.element(markDialog.getByText('Your review was not sent.', { exact: false })).toBeVisible()
})

test('a review that is settled meanwhile is not opened', async () => {
  serve(
    givenList(given()),
    http.get('*/api/reviews/v1', () => problem(409, 'already-settled')),
  )
  await renderPage('/reviews', ada)
  await button('Correct').click()
  await answerBox('Error', 'Something went wrong')
  await expect.element(markDialog).not.toBeInTheDocument()
})

test('a reviewer asks once, and the reservation grows', async () => {
  let question: object | undefined
  let until = reviewTask.until
  serve(
    pendingList(openToReview),
    http.post('*/api/reviews/next', () => HttpResponse.json(reviewTask)),
    http.get('*/api/reviews/lease', () => HttpResponse.json({ ...reviewTask, until })),
    http.get('*/api/submissions/r1/question', () =>
      HttpResponse.json({ ...(question && { question }), may: { ask: !question } }),
    ),
    http.post('*/api/submissions/r1/question', async ({ request }) => {
      question = (await request.json()) as object
      until = '2099-02-04T04:05:06Z'
      return HttpResponse.json({ insertedId: 'r1' }, { status: 201 })
    }),
    assignment,
  )
  await renderPage('/pending-assignments', ada)
  await button('Review next').click()
  await button('Ask a question', markDialog).click()
  await expect.element(textbox('Your question', markDialog)).toHaveFocus()
  await button('Send question', markDialog).click()
  await expect.element(markDialog.getByText('Write your question.')).toBeVisible()
  await textbox('Your question', markDialog).fill('Which edition?')
  await button('Send question', markDialog).click()
  await expect.element(markDialog.getByText('Which edition?')).toBeVisible()
  await expect.element(markDialog.getByText(/^No answer yet/)).toBeVisible()
  await expect.element(markDialog.getByText(/^Reserved for you until 2099\/02\/04/)).toBeVisible()
  expect(question).toEqual({ text: 'Which edition?' })
})

const own = (may: object) => ({
  _id: 's1',
  assignmentId: 'a1',
  assignmentTitle: 'Fractions in short',
  docsLink: 'https://docs.google.com/document/d/1',
  status: 'pending',
  submittedAt: '2026-02-03T04:05:06Z',
  submittedBy: ada.email,
  marks: 20,
  late: false,
  reviewsNeeded: 2,
  reviews: 1,
  timeline: [],
  may: { change: false, withdraw: true, appeal: false, assess: false, answer: false, ...may },
})

test('the submitter answers a reviewer', async () => {
  let sent: unknown
  serve(
    http.get('*/api/submissions', () => HttpResponse.json([own({ answer: sent === undefined })])),
    http.get('*/api/submissions/s1/own', () =>
      HttpResponse.json({
        ...own({ answer: true }),
        questions: [
          { _id: 'q1', text: 'Why?', answer: { text: 'So.' } },
          { _id: 'q2', text: 'Which *edition*?', html: '<p>Which <em>edition</em>?</p>' },
        ],
      }),
    ),
    http.post('*/api/submissions/s1/answer', async ({ request }) => {
      sent = await request.json()
      return HttpResponse.json({ insertedId: 's1' }, { status: 201 })
    }),
  )
  await renderPage('/attemded-assignments', ada)
  await button('Answer a reviewer').click()
  await expect.element(page.getByText('Which edition?')).toBeVisible()
  await textbox('Your answer').fill('The second.')
  await button('Send answer').click()
  await expect.element(page.getByText('Your answer is with the reviewer.')).toBeVisible()
  expect(sent).toEqual({ text: 'The second.', questionId: 'q2' })
  await expect.element(button('Answer a reviewer')).not.toBeInTheDocument()
})

test('the submitter judges the own work by the rubric', async () => {
  let sent: unknown
  serve(
    http.get('*/api/submissions', () => HttpResponse.json([own({ assess: true })])),
    http.get('*/api/submissions/s1/own', () =>
      HttpResponse.json({ ...own({ assess: true }), rubric, selfAssessment: { levels: [1, 0], mark: 10 } }),
    ),
    http.put('*/api/submissions/s1/self-assessment', async ({ request }) => {
      sent = await request.json()
      return HttpResponse.json({ modifiedCount: 1 })
    }),
  )
  await renderPage('/attemded-assignments', ada)
  await button('Judge it yourself').click()
  const judging = page.getByRole('dialog', { name: 'Judge Your Own Work' })
  await expect.element(judging.getByText(/^10 of 20 marks$/)).toBeVisible()
  await judging
    .getByRole('group', { name: 'Language' })
    .getByRole('radio', { name: 'Strong 10 marks' })
    .click()
  await button('Save', judging).click()
  await expect.element(judging).not.toBeInTheDocument()
  expect(sent).toEqual({ levels: [1, 1] })
})

test('phrases are offered as they are typed, and neither Enter nor Tab takes one by accident', async () => {
  serve(
    pendingList(openToReview),
    http.post('*/api/reviews/next', () => HttpResponse.json(reviewTask)),
    http.get('*/api/phrases', () =>
      HttpResponse.json({ phrases: ['Well argued.', 'Name your sources.', 'Well written.'] }),
    ),
    assignment,
  )
  await renderPage('/pending-assignments', ada)
  await button('Review next').click()
  const feedback = textbox('Feedback', markDialog)
  await userEvent.type(feedback, 'Thanks! well')
  const list = page.getByRole('listbox', { name: 'Your phrases' })
  await expect.element(list).toBeVisible()
  expect(texts(list.getByRole('option'))).toEqual(['Well argued.', 'Well written.'])
  await userEvent.keyboard('{Enter}')
  await expect.element(feedback).toHaveValue('Thanks! well\n')
  await userEvent.type(feedback, 'na')
  await userEvent.keyboard('{ArrowUp}{Enter}')
  await expect.element(feedback).toHaveValue('Thanks! well\nName your sources.')
  await userEvent.type(feedback, ' wel')
  await expect.element(list).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(list).not.toBeInTheDocument()
  await expect.element(markDialog).toBeVisible()
})
