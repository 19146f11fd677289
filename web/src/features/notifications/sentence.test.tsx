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
