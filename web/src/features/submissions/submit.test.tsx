import { http, HttpResponse, type HttpHandler } from 'msw'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { renderPage } from '@/test/render-page'
import { reviewsToGive } from '@/test/review'
import { ben, sampleAssignment } from '@/test/samples'
import { answerBox, button, textbox } from '@/test/screen'
import { gate, serve } from '@/test/serve'

const dialog = page.getByRole('dialog', { name: 'Submit Assignment' })
const link = textbox('Google Docs Link', dialog)

/** Ada's assignment as Ben sees it; `submit` answers each time he hands in. */
async function takeAssignment(
  submit: () => Promise<Response> | Response,
  ...more: HttpHandler[]
): Promise<void> {
  serve(
    http.get('*/api/assignment/a1', () => HttpResponse.json(sampleAssignment())),
    http.post('*/api/submissions', submit),
    ...more,
  )
  await renderPage('/assignment/a1', ben)
  await button('Take Assignment').click()
}

test('a failed submission is reported, keeps the typed text, and succeeds on the next try', async () => {
  const { opened, open } = gate()
  const answers = [
    () => HttpResponse.json({ detail: 'Broken.' }, { status: 500 }),
    () => HttpResponse.json({ insertedId: 's1' }, { status: 201 }),
    () => HttpResponse.json({ code: 'already-pending', detail: 'x' }, { status: 409 }),
  ]
  await takeAssignment(async () => {
    await opened
    return answers.shift()?.() ?? HttpResponse.error()
  })
  await expect.element(link).toHaveAttribute('type', 'url')
  await link.fill('https://docs.google.com/document/d/7')
  await button('Submit', dialog).click()
  await expect.element(button('Submitting...', dialog)).toHaveAttribute('aria-disabled', 'true')
  open()
  await answerBox('Error', 'Submission failed. Please try again.')
  await expect.element(link).toHaveValue('https://docs.google.com/document/d/7')
  await button('Submit', dialog).click()
  await answerBox('Success!', 'Assignment submitted successfully!')
  // Success cleared the form; a second attempt while the first is pending is refused.
  await button('Take Assignment').click()
  await expect.element(link).toHaveValue('')
  await link.fill('https://docs.google.com/document/d/8')
  await button('Submit', dialog).click()
  await answerBox('Error', 'Submission failed. Please try again.')
})

test('a submission that the server did not keep is reported', async () => {
  await takeAssignment(() => HttpResponse.json({ insertedId: null }, { status: 201 }))
  await link.fill('https://docs.google.com/document/d/1')
  await button('Submit', dialog).click()
  await answerBox('Error', 'Submission failed. Please try again.')
  await expect.element(link).toHaveValue('https://docs.google.com/document/d/1')
})

test('after a hand-in, a user who owes reviews is led to them', async () => {
  await takeAssignment(
    () => HttpResponse.json({ insertedId: 's1' }, { status: 201 }),
    http.get('*/api/progress', () => HttpResponse.json({ data: [reviewsToGive(2)] })),
  )
  await link.fill('https://docs.google.com/document/d/1')
  await button('Submit', dialog).click()
  const box = page.getByRole('dialog', { name: 'Success!' })
  await expect.element(box.getByText('Your turn: review 2 submissions. 0 of 2 given.')).toBeVisible()
  await expect.element(box.getByRole('link', { name: 'Review next' })).toBeVisible()
})
