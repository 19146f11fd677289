import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { renderPage } from '@/test/render-page'
import { ada } from '@/test/samples'
import { texts } from '@/test/screen'
import { serve } from '@/test/serve'
import type { Notification } from '@/entities/notification/queries'

const told = (id: string, fields: Partial<Notification>): Notification => ({
  _id: id,
  kind: 'graded',
  count: 1,
  title: 'Tides',
  url: '/attemded-assignments',
  actorName: null,
  createdAt: '2026-02-01T00:00:00Z',
  readAt: null,
  ...fields,
})

test('notifications stand by assignment, with who acted, and what became of a mark', async () => {
  const asked: string[] = []
  const data = [
    told('n1', {
      kind: 'settlement',
      assignmentId: 'a1',
      before: 16,
      mark: 18,
      total: 20,
      words: 'You did name both.',
    }),
    told('n2', {
      kind: 'taken',
      title: 'Rivers',
      url: '/assignment/a2#results',
      assignmentId: 'a2',
      actorName: 'Ben',
    }),
    told('n3', { assignmentId: 'a1', mark: 16, total: 20 }),
    told('n4', { kind: 'decided', url: null }),
  ]
  serve(
    http.put('*/api/settings/time-zone', () => HttpResponse.json({ modifiedCount: 1 })),
    http.get('*/api/notifications', ({ request }) => {
      const { searchParams } = new URL(request.url)
      if (searchParams.get('limit') === '20') asked.push(searchParams.get('details') ?? '')
      const pagination = { page: 1, limit: 20, total: 4, totalPages: 1 }
      return HttpResponse.json({ data, pagination }, { headers: { 'X-Unread-Count': '4' } })
    }),
  )
  await renderPage('/notifications', ada)
  const tides = page.getByRole('region', { name: 'Tides' })
  await expect.element(tides.getByRole('heading', { name: 'Tides' })).toBeVisible()
  const rows = texts(tides.getByRole('listitem'))
  expect(rows).toHaveLength(2)
  expect(rows[0]).toContain('Your mark for Tides was decided again16 → 18 of 20: You did name both.')
  expect(rows[1]).toContain('Your work on Tides was graded16 of 20')
  const main = page.getByRole('main')
  expect(texts(main.getByRole('listitem'))[2]).toContain('Ben handed in work for your assignment Rivers')
  expect(main.element().querySelectorAll('li img'), 'one picture, of Ben').toHaveLength(1)
  await expect.element(page.getByRole('region', { name: 'Rivers' })).not.toBeInTheDocument()
  expect(asked).toEqual(['true'])
})
