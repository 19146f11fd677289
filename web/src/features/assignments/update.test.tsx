import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { renderPage } from '@/test/render-page'
import { ada, sampleAssignment } from '@/test/samples'
import { answerBox, button } from '@/test/screen'
import { serve } from '@/test/serve'

const before = { ...sampleAssignment(), creatorEmail: ada.email }
const after = { ...before, marks: before.marks + 1, updatedAt: '2199-01-01T00:00:00Z' }

test('an update names the version it changes; where the server knows a newer one, it says so and keeps what was typed', async () => {
  let saved = before
  const named: (string | null)[] = []
  serve(
    http.get('*/api/assignment/*', () =>
      HttpResponse.json(saved, { headers: { ETag: `"${saved.updatedAt}"` } }),
    ),
    http.put('*/api/assignment/*', ({ request }) => {
      named.push(request.headers.get('If-Match'))
      if (named.length > 1) return HttpResponse.json({ matchedCount: 1, modifiedCount: 1 })
      // Another save arrives a moment earlier.
      saved = after
      return HttpResponse.json({ code: 'changed', detail: 'Changed.' }, { status: 412 })
    }),
  )
  await renderPage(`/assignment/update/${before._id}`, ada)
  const title = page.getByRole('textbox', { name: 'Title' })
  await title.fill('Mine')
  await button('Update Assignment').click()
  await answerBox('Are you sure?', 'You Update this assignment')
  await expect.element(page.getByText('This assignment has been changed in another window.')).toBeVisible()
  await expect.element(title).toHaveValue('Mine')
  await expect.element(page.getByLabelText('Marks')).toHaveValue(after.marks)
  await button('Update Assignment').click()
  await answerBox('Are you sure?', 'You Update this assignment')
  await answerBox('Updated', null)
  expect(named).toEqual([`"${before.updatedAt}"`, `"${after.updatedAt}"`])
})
