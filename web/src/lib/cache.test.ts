import { expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { createElement } from 'react'
import { clearCache, ensure, outdate, patch, seed, seedFailure, useResource } from './cache'

function Shown({ name, fetcher }: { name: string; fetcher: () => Promise<string> }) {
  const { data, error, loading, retry } = useResource(name, fetcher)
  return createElement('button', { onClick: retry }, loading ? 'loading' : error ? 'failed' : data)
}

const show = (name: string, fetcher: () => Promise<string>) => render(createElement(Shown, { name, fetcher }))

test('what is seeded shows without a call', async () => {
  const fetcher = vi.fn(() => Promise.resolve('fetched'))
  seed('a', 'seeded')
  const screen = await show('a', fetcher)
  await expect.element(screen.getByText('seeded')).toBeVisible()
  expect(fetcher).not.toHaveBeenCalled()
})

test('callers at once share one call', async () => {
  const fetcher = vi.fn(() => Promise.resolve('fetched'))
  await Promise.all([ensure('a', fetcher), ensure('a', fetcher)])
  await ensure('a', fetcher)
  expect(fetcher).toHaveBeenCalledTimes(1)
})

test('a failure is shown, and retried on request', async () => {
  const fetcher = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('down'))
  fetcher.mockResolvedValue('fetched')
  const screen = await show('a', fetcher)
  await screen.getByText('failed').click()
  await expect.element(screen.getByText('fetched')).toBeVisible()
})

test('an outdated answer is shown until the new one is there', async () => {
  seed('a/1', 'old')
  let deliver: (text: string) => void = () => undefined
  const screen = await show('a/1', () => new Promise((resolve) => (deliver = resolve)))
  outdate('a/')
  await expect.element(screen.getByText('old')).toBeVisible()
  await vi.waitFor(() => {
    deliver('new')
    expect(screen.container.textContent).toBe('new')
  })
})

test('an answer that became out of date on its way is shown, and asked for again', async () => {
  const deliver: ((text: string) => void)[] = []
  const screen = await show('a/1', () => new Promise((resolve) => deliver.push(resolve)))
  await vi.waitFor(() => expect(deliver).toHaveLength(1))
  outdate('a/')
  deliver[0]?.('old')
  await expect.element(screen.getByText('old')).toBeVisible()
  await vi.waitFor(() => expect(deliver).toHaveLength(2))
  deliver[1]?.('new')
  await expect.element(screen.getByText('new')).toBeVisible()
  expect(deliver).toHaveLength(2)
})

test('what failed is tried again once something has changed', async () => {
  const fetcher = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('down'))
  fetcher.mockResolvedValue('fetched')
  const screen = await show('a', fetcher)
  await expect.element(screen.getByText('failed')).toBeVisible()
  outdate('a')
  await expect.element(screen.getByText('fetched')).toBeVisible()
})

test('coming back online asks again', async () => {
  const fetcher = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('offline'))
  fetcher.mockResolvedValue('fetched')
  const screen = await show('a', fetcher)
  await expect.element(screen.getByText('failed')).toBeVisible()
  window.dispatchEvent(new Event('online'))
  await expect.element(screen.getByText('fetched')).toBeVisible()
})

test('a failure that came with the HTML is shown, and asked about on request only', async () => {
  seedFailure('a', new Error('gone'))
  const fetcher = vi.fn(() => Promise.resolve('fetched'))
  const screen = await show('a', fetcher)
  await expect.element(screen.getByText('failed')).toBeVisible()
  expect(fetcher).not.toHaveBeenCalled()
  await screen.getByText('failed').click()
  await expect.element(screen.getByText('fetched')).toBeVisible()
})

test('a change reaches every key with the prefix, and dropping forgets', async () => {
  seed('list/1', 'a')
  seed('list/2', 'b')
  patch<string>('list/', (text) => (text === 'a' ? 'A' : undefined))
  const fetcher = vi.fn(() => Promise.resolve('fetched'))
  const first = await show('list/1', fetcher)
  await expect.element(first.getByText('A')).toBeVisible()
  const second = await show('list/2', fetcher)
  await expect.element(second.getByText('fetched')).toBeVisible()
})

test('an answer that was on its way when the user changed is thrown away', async () => {
  let deliver: (text: string) => void = () => undefined
  const call = ensure('a', () => new Promise<string>((resolve) => (deliver = resolve)))
  clearCache()
  deliver('of somebody else')
  await call
  const screen = await show('a', () => Promise.resolve('mine'))
  await expect.element(screen.getByText('mine')).toBeVisible()
})
