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

test.each([
  ['joined', null, 'You are now in a circle'],
  ['published', 'Ben', 'Ben set Tides for a circle, due soon'],
  ['published', null, 'Someone set Tides for a circle, due soon'],
  ['moved', null, 'Tides for a circle is now due soon'],
] as const)('%s, by %s, in a circle that the reader has left', async (kind, actorName, text) => {
  const { container } = await render(<p>{sentence({ kind, count: 1, actorName }, <bdi>Tides</bdi>)}</p>)
  expect(container.textContent).toBe(text)
})

test.each([
  ['published', 'Ben', 'Ben set Tides for History 10A, due soon'],
  ['published', null, 'Someone set Tides for History 10A, due soon'],
  ['moved', null, 'Tides for History 10A is now due soon'],
] as const)('%s, by %s, of an assignment that the reader does not see', async (kind, actorName, text) => {
  const told = { kind, count: 1, actorName, circleName: 'History 10A' }
  const { container } = await render(<p>{sentence(told, <bdi>Tides</bdi>)}</p>)
  expect(container.textContent).toBe(text)
})

test('a name with tags stays as it is', async () => {
  const told = { kind: 'mention', count: 1, actorName: '<b>Ben</b> <0>' } as const
  const { container } = await render(<p>{sentence(told, <bdi>{'{who} <1/>'}</bdi>)}</p>)
  expect(container.textContent).toBe('<b>Ben</b> <0> mentioned you in the discussion of {who} <1/>')
})
