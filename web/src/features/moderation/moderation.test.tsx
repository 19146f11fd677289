import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { renderPage } from '@/test/render-page'
import { ada } from '@/test/samples'
import { answerBox, button } from '@/test/screen'
import { serve } from '@/test/serve'
import type { Report } from './queries'

const reported = (id: string, reason: string): Report => ({
  _id: id,
  kind: 'comment',
  subjectId: `c-${id}`,
  assignmentId: 'a1',
  assignmentTitle: 'Tides',
  text: 'Rude words',
  html: '<p>Rude <strong>words</strong></p>',
  authorName: 'Ben',
  reason,
  createdAt: '2026-01-02T03:04:05Z',
})

test('a moderator decides on what was reported, oldest first', async () => {
  let open = [reported('r1', 'So rude'), reported('r2', 'Copied')]
  const decisions: unknown[] = []
  serve(
    http.get('*/api/reports', () => {
      const pagination = { page: 1, limit: 20, total: open.length, totalPages: open.length > 0 ? 1 : 0 }
      return HttpResponse.json({ data: open, pagination })
    }),
    http.post('*/api/reports/:id', async ({ request, params }) => {
      decisions.push([params.id, await request.json()])
      open = open.filter(({ _id }) => _id !== params.id)
      return HttpResponse.json({ modifiedCount: 1 })
    }),
  )
  await renderPage('/moderation', ada)
  const first = page.getByRole('article', { name: 'So rude' })
  await expect.element(first.getByText('words')).toBeVisible()
  await expect
    .element(first.getByRole('link', { name: 'Tides' }))
    .toHaveAttribute('href', '/assignment/a1#comment-c-r1')
  await button('Suspend', first).click()
  await answerBox('Are you sure?', 'It will be hidden, and the account of who wrote it closed.', 'Cancel')
  await button('Hide', first).click()
  await expect.element(first).not.toBeInTheDocument()
  await expect.element(page.getByRole('heading', { name: 'Moderation' })).toHaveFocus()
  await button('Suspend').click()
  await answerBox('Are you sure?', null, 'Suspend')
  await expect.element(page.getByText('Nothing was reported. All is well.')).toBeVisible()
  expect(decisions).toEqual([
    ['r1', { action: 'hide' }],
    ['r2', { action: 'suspend' }],
  ])
})

test('others are told that this is for moderators', async () => {
  serve(
    http.get('*/api/reports', () =>
      HttpResponse.json({ code: 'not-a-moderator', detail: 'This is for moderators.' }, { status: 403 }),
    ),
  )
  await renderPage('/moderation', ada)
  await expect.element(page.getByText('This is for moderators.')).toBeVisible()
})
