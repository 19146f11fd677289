import { http, HttpResponse } from 'msw'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { renderPage } from '@/test/render-page'
import { ada } from '@/test/samples'
import { button } from '@/test/screen'
import { serve } from '@/test/serve'
import type { Overview } from './queries'

// Only what asks again is faked.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const operator = { ...ada, operator: true }

function overview(fields: Partial<Overview> = {}): Overview {
  return {
    at: '2026-01-02T03:04:05Z',
    jobs: [
      { state: 'available', count: 3 },
      { state: 'running', count: 1 },
      { state: 'scheduled', count: 0 },
    ],
    oldest: [
      { kind: 'mail', seconds: 320 },
      { kind: 'periodic', seconds: 0 },
    ],
    failedMails: [],
    checks: [
      { check: 'database', state: 'ok', says: 'Its schema 74 is that of this program.' },
      { check: 'backup', state: 'warning', says: 'There is none yet.', do: 'Start the server.' },
    ],
    disk: { freeBytes: 12_540_000_000, usedBytes: 3_000_000_000 },
    schema: 74,
    knownSchema: 74,
    lastBackup: null,
    nodes: [
      {
        _id: 'one',
        host: 'left',
        version: '1.0.0',
        startedAt: '2026-01-01T00:00:01Z',
        heardAt: '2026-01-02T03:04:00Z',
        answers: true,
      },
    ],
    ...fields,
  }
}

const facts = (name: string, value: string) =>
  expect
    .element(page.getByText(name, { exact: true }).element().parentElement as HTMLElement)
    .toHaveTextContent(name + value)

test('an operator sees the state of the server, and it is asked for again', async () => {
  let changed = false
  serve(
    http.get('*/api/admin', () =>
      HttpResponse.json(
        !changed
          ? overview()
          : overview({
              lastBackup: '2026-01-02T00:00:01Z',
              failedMails: [{ kind: 'mail verify', count: 12, error: 'given up: not sent' }],
              nodes: [
                ...overview().nodes,
                {
                  _id: 'two',
                  host: 'right',
                  version: '0.9.0',
                  startedAt: '2026-01-01T00:00:01Z',
                  heardAt: '2026-01-02T02:04:00Z',
                  answers: false,
                },
              ],
            }),
      ),
    ),
  )
  await renderPage('/admin', operator)
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Server')
  const backup = page.getByRole('table', { name: 'Checks' }).getByRole('row', { name: /backup/ })
  await expect.element(backup).toHaveTextContent('backupwarningThere is none yet.Start the server.')
  await facts('Schema of the database', '74')
  await facts('Free disk space', '12.5 GB')
  await facts('Used disk space', '3 GB')
  await facts('Last backup', 'none')
  await facts('Jobs waiting', '3')
  await facts('Jobs running', '1')
  await expect.element(page.getByText('Jobs scheduled')).not.toBeInTheDocument()
  await facts('Longest wait: mail', '5 min')
  await facts('Longest wait: periodic', 'none')
  await expect
    .element(page.getByRole('region', { name: 'Undelivered emails' }).getByText('None.'))
    .toBeVisible()
  const nodes = page.getByRole('table', { name: 'Nodes' })
  await expect
    .element(nodes.getByRole('row', { name: /left/ }).getByText('running, answering you'))
    .toBeVisible()
  await expect.element(page.getByText('The nodes run different versions.')).not.toBeInTheDocument()

  changed = true
  vi.advanceTimersByTime(10_000)
  await expect.element(nodes.getByRole('row', { name: /right/ }).getByText('silent')).toBeVisible()
  await expect.element(page.getByText('The nodes run different versions.')).toBeVisible()
  await expect
    .element(
      page.getByRole('table', { name: 'Undelivered emails' }).getByRole('row', { name: /mail verify/ }),
    )
    .toHaveTextContent('mail verify12given up: not sent')
})

test('for others, and once an operator is one no more, the page does not exist', async () => {
  let operates = true
  serve(
    http.get('*/api/admin', () =>
      operates
        ? HttpResponse.json(overview())
        : HttpResponse.json({ code: 'not-found', detail: 'Not found.' }, { status: 404 }),
    ),
  )
  const heading = page.getByRole('heading', { level: 1 })
  await renderPage('/admin', operator)
  await expect.element(page.getByRole('table', { name: 'Nodes' })).toBeVisible()
  operates = false
  vi.advanceTimersByTime(10_000)
  await expect.element(heading).toHaveTextContent('Error !Page not found')
  await renderPage('/admin', { ...ada, email: 'other@example.org' })
  await expect.element(heading).toHaveTextContent('Error !Page not found')
  await expect.poll(() => document.title).toBe('Error !Page not found')
  const address = await renderPage('/admin')
  await expect.element(heading).toHaveTextContent('Error !Page not found')
  expect(address()).toBe('/admin')
})

test('a server that does not answer is asked again', async () => {
  let down = true
  serve(
    http.get('*/api/admin', () =>
      down
        ? HttpResponse.json({ code: 'unavailable', detail: 'The database is away.' }, { status: 503 })
        : HttpResponse.json(overview()),
    ),
  )
  await renderPage('/admin', { ...operator, email: 'third@example.org' })
  await expect.element(page.getByText('The database is away.')).toBeVisible()
  down = false
  await button('Retry').click()
  await expect.element(page.getByRole('table', { name: 'Nodes' })).toBeVisible()
})

test('operators alone have it in the navigation', async () => {
  serve(http.get('*/api/admin', () => HttpResponse.json(overview())))
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Server' })
  for (const user of [null, ada, { ...ada, moderator: true }]) {
    await renderPage('/about-Us', user)
    await expect.element(page.getByRole('navigation', { name: 'Main' })).toBeInTheDocument()
    await expect.element(link).not.toBeInTheDocument()
  }
  const address = await renderPage('/about-Us', operator)
  await link.click()
  await expect.element(page.getByRole('table', { name: 'Nodes' })).toBeVisible()
  expect(address()).toBe('/admin')
})
