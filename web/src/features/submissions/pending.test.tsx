import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { renderPage } from '@/test/render-page'
import { ada, samplePending } from '@/test/samples'
import { answerBox, button, texts } from '@/test/screen'
import { serve } from '@/test/serve'

const cells = page.getByRole('row').nth(1).getByRole('cell')
const dialog = page.getByRole('dialog', { name: 'Mark Assignment' })
const marks = dialog.getByLabelText('Marks')

const list = (...rows: object[]) => http.get('*/api/submissions', () => HttpResponse.json(rows))

test('the list falls back for what is missing', async () => {
  serve(list({ _id: 'x', assignmentId: 'y', status: 'pending', late: true, docsLink: 'https://e.org' }))
  await renderPage('/pending-assignments', ada)
  await expect.poll(() => texts(cells)).toEqual(['Untitled', 'N/A', 'UnknownLate', 'Give Mark'])
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
