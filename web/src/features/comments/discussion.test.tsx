import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { invalidate } from '@/lib/query'
import { queryClient } from '@/lib/query-client'
import { renderPage } from '@/test/render-page'
import { ada, ben, sampleAssignment } from '@/test/samples'
import { button, textbox } from '@/test/screen'
import { serve } from '@/test/serve'
import type { Comment, Thread } from '@/entities/comment/queries'
import { commentKeys, type CommentPage } from '@/entities/comment/threads-query'

const none = { count: 0, mine: false }

function comment(id: string, fields: Partial<Comment> = {}): Comment {
  return {
    _id: id,
    text: id,
    html: `<p>${id}</p>`,
    authorName: 'Ben',
    authorId: 'u2',
    mine: false,
    createdAt: '2026-01-02T03:04:05Z',
    deleted: false,
    replyCount: 0,
    reactions: { like: none, thanks: none, insightful: none, question: none },
    ...fields,
  }
}

const thread = (...replies: Comment[]): Thread => ({
  ...comment('c1'),
  replyCount: replies.length,
  replies: replies.slice(0, 3),
})

const pageOf = <Row,>(...data: Row[]) => ({
  data,
  pagination: { page: 1, limit: 20, total: data.length, totalPages: 1 },
})

test('a linked reply gets the focus, also where its thread is updated last', async () => {
  const reply = comment('r1', { parentId: 'c1', mine: true })
  let threads: CommentPage = { ...pageOf(thread()), discussion: 'open' }
  serve(
    http.get('*/api/assignment/a1', () => HttpResponse.json(sampleAssignment())),
    http.get('*/api/assignment/a1/comments', () => HttpResponse.json(threads)),
    http.get('*/api/comment/r1', () => HttpResponse.json({ ...reply, assignmentId: 'a1', page: 1 })),
    http.get('*/api/comment/c1/replies', () => HttpResponse.json(pageOf(reply))),
  )
  await renderPage('/assignment/a1#comment-r1', ada)
  await expect.element(page.getByText('c1')).toBeVisible()
  await expect
    .poll(() => queryClient.getQueryData([...commentKeys.under('a1'), 'replies', 'c1']))
    .toBeTruthy()
  threads = { ...pageOf(thread(reply)), discussion: 'open' }
  invalidate(queryClient, commentKeys.under('a1'))
  await expect.element(page.getByRole('article').filter({ hasText: 'r1' })).toHaveFocus()
})

test('a reaction shows at once, and goes back where it was not kept', async () => {
  let lost = false
  const away = () => new HttpResponse(null, { status: 503 })
  serve(
    http.get('*/api/assignment/a1', () => HttpResponse.json(sampleAssignment())),
    http.get('*/api/assignment/a1/comments', () =>
      lost ? away() : HttpResponse.json({ ...pageOf(thread(comment('r1'))), discussion: 'open' }),
    ),
    http.put('*/api/comment/r1/reactions/like', async () => {
      lost = true
      await expect.element(button('Like 1')).toHaveAttribute('aria-pressed', 'true')
      return away()
    }),
  )
  await renderPage('/assignment/a1', ada)
  const reply = page.getByRole('article').filter({ hasText: 'r1' }).last()
  await expect.element(button('Like', reply)).toBeVisible()
  await expect.poll(() => queryClient.isFetching()).toBe(0)
  await button('Like', reply).click()
  await expect.poll(() => lost).toBe(true)
  await expect.element(button('Like', reply)).toHaveAttribute('aria-pressed', 'false')
  await expect.element(button('Like 1')).not.toBeInTheDocument()
})

test('a draft under one assignment stays there, and is not offered under another', async () => {
  const empty: CommentPage = { ...pageOf<Thread>(), discussion: 'open' }
  serve(
    http.get('*/api/assignment/:id', ({ params }) =>
      HttpResponse.json(sampleAssignment({ _id: String(params['id']) })),
    ),
    http.get('*/api/assignment/:id/comments', () => HttpResponse.json(empty)),
  )
  const box = textbox('Write a comment')
  await renderPage('/assignment/a1', ada)
  await box.fill('For the first one')
  await renderPage('/assignment/a2', ada)
  await expect.element(box).toHaveValue('')
  await renderPage('/assignment/a1', ada)
  await expect.element(box).toHaveValue('For the first one')
  await renderPage('/assignment/a1', ben)
  await expect.element(box).toHaveValue('')
})

test('a reaction asks again for the discussion, and not for the progress', async () => {
  const asked: string[] = []
  // No other test's: a read that failed there is repeated here.
  const progress = '/api/progress?assignments=a3'
  serve(
    http.all('*', ({ request }) => void asked.push(request.url.replace(location.origin, ''))),
    http.get('*/api/assignment/a3', () =>
      HttpResponse.json(sampleAssignment({ _id: 'a3', creatorEmail: ben.email })),
    ),
    http.get('*/api/progress', () => HttpResponse.json({ data: [] })),
    http.get('*/api/submissions', () => HttpResponse.json([])),
    http.get('*/api/assignment/a3/comments', () =>
      HttpResponse.json({ ...pageOf(thread(comment('r1'))), discussion: 'open' }),
    ),
    http.put('*/api/comment/r1/reactions/like', () => new HttpResponse(null, { status: 204 })),
  )
  await renderPage('/assignment/a3', ada)
  const reply = page.getByRole('article').filter({ hasText: 'r1' }).last()
  await expect.poll(() => asked).toContain(progress)
  await expect.element(button('Like', reply)).toBeVisible()
  await expect.poll(() => queryClient.isFetching()).toBe(0)
  asked.length = 0
  await button('Like', reply).click()
  await expect.poll(() => asked).toContain('/api/assignment/a3/comments?page=1&limit=20')
  await expect.poll(() => queryClient.isFetching()).toBe(0)
  expect(asked.slice(asked.indexOf('/api/comment/r1/reactions/like'))).not.toContain(progress)
})

test('namesakes to mention are told apart by their sections, and the chosen one is mentioned', async () => {
  const sent: unknown[] = []
  const sue = { displayName: 'Sue', photoURL: 'https://example.org/sue.png' }
  serve(
    http.get('*/api/assignment/a1', () => HttpResponse.json(sampleAssignment())),
    http.get('*/api/assignment/a1/comments', () => HttpResponse.json({ ...pageOf(), discussion: 'open' })),
    http.get('*/api/assignment/a1/participants', () =>
      HttpResponse.json(
        pageOf(
          { authorId: 'u1', ...sue, label: '10A' },
          { authorId: 'u2', displayName: 'Sue', label: '10B' },
        ),
      ),
    ),
    http.post('*/api/assignment/a1/comments', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json({ insertedId: 'm1' }, { status: 201 })
    }),
  )
  await renderPage('/assignment/a1', ada)
  const box = textbox('Write a comment')
  await userEvent.type(box, '@Su')
  await expect.element(page.getByRole('option', { name: 'Sue 10A' })).toBeVisible()
  await expect.element(page.getByRole('option', { name: 'Sue 10B' })).toBeVisible()
  await userEvent.keyboard('{ArrowDown}{Enter}')
  await expect.element(box).toHaveValue('@Sue ')
  await userEvent.type(box, 'why?')
  await button('Comment').click()
  await expect.poll(() => sent).toEqual([{ text: '@[Sue](user:u2) why?' }])
})
