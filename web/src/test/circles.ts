import { http, HttpResponse } from 'msw'
import type { Circle } from '@/entities/circle/queries'
import { serve } from './serve'

const everything = { publish: true, grade: true, organize: true, change: true, own: true }
export const nothing = { publish: true, grade: true, organize: false, change: false, own: false }

export const biology: Circle = {
  _id: 'c1',
  name: 'Biology',
  description: 'Pond *life*.',
  html: '<p>Pond <em>life</em>.</p>',
  role: 'owner',
  members: 2,
  listed: false,
  join: 'invite',
  publishing: 'members',
  grading: 'members',
  countsAccuracy: false,
  createdAt: '2026-01-02T03:04:05Z',
  archivedAt: null,
  readsMarks: true,
  may: everything,
}

export const listOf = <Row>(...data: Row[]) => ({
  data,
  pagination: { page: 1, limit: 20, total: data.length, totalPages: data.length > 0 ? 1 : 0 },
})

/** The answers of a circle of Ada's, with the parts that a test gives. */
export function serveCircle(circle: () => Circle | null, ...more: Parameters<typeof serve>) {
  serve(
    ...more,
    http.get('*/api/circle/c1', () => {
      const now = circle()
      return now
        ? HttpResponse.json(now, { headers: { ETag: '"1"' } })
        : HttpResponse.json({ code: 'not-found', detail: 'There is no such thing.' }, { status: 404 })
    }),
    http.get('*/api/circle/c1/members', () => HttpResponse.json(listOf())),
    http.get('*/api/circle/c1/invitations', () => HttpResponse.json(listOf())),
    http.get('*/api/circle/c1/asking', () => HttpResponse.json(listOf())),
    http.get('*/api/reports', () => HttpResponse.json(listOf())),
    http.get('*/api/moderation', () => HttpResponse.json(listOf())),
    http.get('*/api/circles', () => HttpResponse.json(listOf())),
    http.get('*/api/circles/invited', () => HttpResponse.json({ data: [] })),
    http.get('*/api/assignments', () => HttpResponse.json(listOf())),
  )
}
