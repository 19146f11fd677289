import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { renderPage } from '@/test/render-page'
import { ada } from '@/test/samples'
import { texts } from '@/test/screen'
import { serve } from '@/test/serve'
import { needText, otherRows } from './today-list'
import type { Today } from './today-query'

type Need = NonNullable<Today['needs']>[number]

const by = '2026-12-01T12:00:00Z'
const now = Date.parse('2026-11-28T12:00:00Z')
const nothing: Today = { turns: [], due: [], back: [], decisions: [], short: [] }

test.each<[Need['kind'], Partial<Need>, string]>([
  ['hand-in', { by }, 'Hand in your work by 2026/12/01.'],
  ['hand-in', { by: '2026-11-20T12:00:00Z' }, 'It was due 2026/11/20. You can still hand in your work.'],
  ['appeal', { by }, 'Under appeal: new reviewers are asked until 2026/12/01, and you can decide at once.'],
  [
    'finalize',
    { by, count: 1 },
    '1 submission is ready for you to finalize. Its mark is calculated by itself on 2026/12/01.',
  ],
  [
    'finalize',
    { by, count: 4 },
    '4 submissions are ready for you to finalize. The first mark is calculated by itself on 2026/12/01.',
  ],
  ['answer', { by, count: 1 }, 'A reviewer has a question about your work. Answer it by 2026/12/01.'],
  ['answer', { by, count: 2 }, 'Reviewers have 2 questions about your work. Answer them by 2026/12/01.'],
])('%s %o: %s', (kind, fields, text) => {
  expect(needText({ kind, url: '/', ...fields }, now)).toBe(text)
})

test('home lists what waits, with its circle and one way to do it', async () => {
  const since = new Date().toISOString()
  const readers = { circleId: 'c1', circleName: 'Readers' }
  const essay = { ...readers, assignmentId: 'a1', assignmentTitle: 'Essay' }
  const needs: Need[] = [
    { kind: 'finalize', url: '/assignment/a1#results', count: 4, by, ...essay },
    { kind: 'reports', url: '/moderation', count: 1, since },
    { kind: 'requests', url: '/circle/c1?tab=members', count: 2, since, ...readers },
  ]
  const due = [
    { ...essay, title: 'Essay', dueDate: '2099-01-01T00:00:00Z', state: 'open' as const, remind: true },
  ]
  serve(http.get('*/api/today', () => HttpResponse.json({ ...nothing, needs, due })))
  await renderPage('/', ada)
  const today = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('link') })
  await expect
    .poll(() => texts(today).slice(0, 3))
    .toEqual([
      'EssayReaders · 4 submissions are ready for you to finalize. The first mark is calculated by itself on 2026/12/01.Finalize',
      'Moderation1 report waits for your decision. It came just now.Look',
      'Readers2 people ask to join. The first asked just now.Decide',
    ])
  await expect.element(today.getByRole('link', { name: 'Decide' })).toHaveAccessibleDescription('Readers')
  await expect
    .element(today.getByRole('link', { name: 'Finalize' }))
    .toHaveAttribute('href', '/assignment/a1#results')
  await expect.element(page.getByRole('link', { name: 'Everything on your dashboard' })).toBeVisible()
})

test('work to hand in stands once, whether the user asked to be reminded or not', () => {
  const work = { assignmentId: 'a1', url: '/assignment/a1', by }
  const due = { assignmentId: 'a1', title: 'Essay', dueDate: by, state: 'open' as const, remind: true }
  const rows = (needs: Need[]) => otherRows({ due: [due], back: [], needs })
  expect(rows([])).toHaveLength(1)
  expect(rows([{ kind: 'hand-in', ...work }])).toEqual([])
})
