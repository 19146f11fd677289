import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { renderPage } from '@/test/render-page'
import { ada, sampleAssignment, sampleList } from '@/test/samples'
import { answerBox, button } from '@/test/screen'
import { gate, serve } from '@/test/serve'

const assignment = sampleAssignment()
const card = page.getByRole('article', { name: assignment.title })

test('a spinner shows while a list loads, and a failure offers to retry', async () => {
  const { opened, open } = gate()
  let failing = true
  serve(
    http.get('*/api/assignments', async () => {
      await opened
      return failing
        ? HttpResponse.json(
            { detail: 'Away for a moment.' },
            { status: 503, headers: { 'Retry-After': '9' } },
          )
        : HttpResponse.json(sampleList(assignment))
    }),
  )
  await renderPage('/assignments')
  await expect.element(page.getByRole('status', { name: 'Loading assignments' })).toBeVisible()
  open()
  await expect.element(page.getByRole('alert')).toMatchTextContent('Away for a moment.')
  failing = false
  await button('Retry').click()
  await expect.element(card).toBeVisible()
  await expect.element(button('Retry')).not.toBeInTheDocument()
})

test('a list lost on a dying node is fetched again silently', async () => {
  const asked: string[] = []
  serve(
    http.get('*/api/assignments', ({ request }) => {
      asked.push(request.url)
      return asked.length === 1
        ? HttpResponse.html('<h1>502 Bad Gateway</h1>', { status: 502 })
        : HttpResponse.json(sampleList(assignment))
    }),
  )
  await renderPage('/assignments')
  await expect.element(page.getByRole('article')).toHaveLength(1)
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
  expect(asked).toEqual([asked[0], asked[0]])
})

/** A list of one that can be deleted; `remove` answers each request to. */
function serveDeletable(remove: () => Promise<Response> | Response): void {
  let there = true
  serve(
    http.get('*/api/assignments', () => HttpResponse.json(there ? sampleList(assignment) : sampleList())),
    http.get('*/api/assignment/a1/results', () => HttpResponse.json({ total: 3, marked: 2 })),
    http.delete('*/api/assignment/a1', async () => {
      const response = await remove()
      const { deletedCount } = (await response.clone().json()) as { deletedCount?: number }
      if (deletedCount) there = false
      return response
    }),
  )
}

test('deleting takes the card away at once, and puts it back when the server refuses', async () => {
  const { opened, open } = gate()
  let refusing = true
  serveDeletable(async () => {
    await opened
    return refusing
      ? HttpResponse.json({ detail: 'No.' }, { status: 500 })
      : HttpResponse.json({ deletedCount: 1 })
  })
  await renderPage('/assignments', ada)
  const remove = button('Delete', card)
  await remove.click()
  await expect
    .element(page.getByText(/^3 submissions have been handed in, 2 of them with a mark\. Submitters keep/))
    .toBeVisible()
  await answerBox('Are you sure?', "You won't be able to revert this!", 'Cancel')
  await expect.element(card).toBeVisible()
  await remove.click()
  await answerBox('Are you sure?', "You won't be able to revert this!", 'Yes, delete it!')
  await expect.element(card).not.toBeInTheDocument()
  open()
  await answerBox('Error', 'Failed to delete assignment.')
  await expect.element(card).toBeVisible()
  refusing = false
  await remove.click()
  await answerBox('Are you sure?', null, 'Yes, delete it!')
  await expect.element(page.getByRole('status').filter({ hasText: 'Deleted successfully' })).toBeVisible()
  await expect.element(card).not.toBeInTheDocument()
})

test('an assignment that was not deleted comes back', async () => {
  serveDeletable(() => HttpResponse.json({ deletedCount: 0 }))
  await renderPage('/assignments', ada)
  await button('Delete', card).click()
  await answerBox('Are you sure?', null, 'Yes, delete it!')
  await answerBox('Error', 'Failed to delete assignment.')
  await expect.element(card).toBeVisible()
})

test('a deleted assignment is shown nowhere, even before the answer', async () => {
  const other = sampleAssignment({ _id: 'a2', title: 'Decimals in short' })
  const otherCard = page.getByRole('article', { name: other.title })
  const level = page.getByRole('combobox', { name: 'Level' })
  const { opened, open } = gate()
  let deleted = false
  let askedSince = 0
  serve(
    http.get('*/api/assignments', async () => {
      if (!deleted) return HttpResponse.json(sampleList(assignment, other))
      askedSince++
      await opened
      return HttpResponse.json(sampleList(other))
    }),
    http.get('*/api/assignment/a1', async () => {
      await opened
      return HttpResponse.json({ code: 'not-found', detail: 'x' }, { status: 404 })
    }),
    http.delete('*/api/assignment/a1', () => {
      deleted = true
      return HttpResponse.json({ deletedCount: 1 })
    }),
  )
  await renderPage('/assignments?level=easy', ada)
  await expect.element(card).toBeVisible()
  await level.selectOptions('All Levels')
  await expect.element(card).toBeVisible()
  await button('Delete', card).click()
  await answerBox('Are you sure?', null, 'Yes, delete it!')
  // The list fills up again.
  await expect.poll(() => askedSince).toBe(1)
  await expect.element(otherCard).toBeVisible()
  await expect.element(card).not.toBeInTheDocument()
  // Known from before, and shown until the answer is there.
  await level.selectOptions('Easy')
  await expect.element(level).toHaveValue('easy')
  await expect.element(otherCard).toBeVisible()
  await expect.element(card).not.toBeInTheDocument()

  await renderPage('/assignment/a1', ada)
  await expect.element(page.getByRole('main')).toBeVisible()
  await expect.element(page.getByRole('heading', { name: assignment.title })).not.toBeInTheDocument()
  open()
  await expect.element(page.getByRole('heading', { name: 'Error !Page not found' })).toBeVisible()
})

test('the first card of four shows the excerpt, not the Markdown of its description', async () => {
  const four = [1, 2, 3, 4].map((n) =>
    sampleAssignment({
      _id: `a${n}`,
      title: `Essay ${n}`,
      format: 'markdown',
      description: 'Say **what** you `think`.',
      ...(n === 1 && { excerpt: 'Say what you think.' }),
    }),
  )
  serve(http.get('*/api/assignments', () => HttpResponse.json(sampleList(...four))))
  await renderPage('/assignments')
  const lead = page.getByRole('article', { name: 'Essay 1' })
  await expect.element(lead.getByText('Say what you think.')).toBeVisible()
  await expect.element(page.getByText('**', { exact: false })).not.toBeInTheDocument()
})
