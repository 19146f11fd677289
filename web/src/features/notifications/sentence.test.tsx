import { afterEach, expect, test, vi } from 'vitest'
import { render } from '@/test/render'
import rendered from '../../../../internal/notify/testdata/sentences.json'
import type { Kind } from '@/entities/notification/queries'
import { sentence } from './sentence'

afterEach(() => vi.restoreAllMocks())

test.each(rendered)(
  '$kind, $count, "$actor": as the server has it',
  async ({ kind, count, actor, due, text }) => {
    const logged = vi.spyOn(console, 'error')
    const notification = {
      kind: kind as Kind,
      count,
      actorName: actor || null,
      circleName: 'History 10A',
      ...(due && { dueDate: `${due.replaceAll('/', '-')}T23:59:59Z` }),
    }
    const { container } = await render(<p>{sentence(notification, <bdi>Tides</bdi>)}</p>)
    expect(container.textContent).toBe(text)
    expect(logged).not.toHaveBeenCalled()
  },
)

const dueDate = '2026-12-01T23:59:59Z'
const circleName = 'History 10A'
test.each([
  ['You are now in a circle', { kind: 'joined' }],
  ['Ben set Tides for a circle, due soon', { kind: 'published', actorName: 'Ben' }],
  ['Someone set Tides for a circle, due soon', { kind: 'published' }],
  ['Ben set Tides for a circle, due 2026/12/01', { kind: 'published', actorName: 'Ben', dueDate }],
  ['Someone set Tides for a circle, due 2026/12/01', { kind: 'published', dueDate }],
  ['Ben set Tides for History 10A, due soon', { kind: 'published', actorName: 'Ben', circleName }],
  ['Someone set Tides for History 10A, due soon', { kind: 'published', circleName }],
  ['Tides for a circle is now due soon', { kind: 'moved' }],
  ['Tides for a circle is now due 2026/12/01', { kind: 'moved', dueDate }],
  ['Tides for History 10A is now due soon', { kind: 'moved', circleName }],
] as const)('%s: where the circle or the due date is not known', async (text, told) => {
  const notification = { count: 1, actorName: null, ...told }
  const { container } = await render(<p>{sentence(notification, <bdi>Tides</bdi>)}</p>)
  expect(container.textContent).toBe(text)
})

test('a name with tags stays as it is', async () => {
  const told = { kind: 'mention', count: 1, actorName: '<b>Ben</b> <0>' } as const
  const { container } = await render(<p>{sentence(told, <bdi>{'{who} <1/>'}</bdi>)}</p>)
  expect(container.textContent).toBe('<b>Ben</b> <0> mentioned you in the discussion of {who} <1/>')
})
