import { QueryClientProvider, queryOptions, useQuery } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { render } from '@/test/render'
import { invalidate, pageQuery, previousOfSubject, usuallyFreshMs } from './query'
import { queryClient } from './query-client'
import { startSession } from './session'

const person = (email: string) => ({ email, displayName: email, photoURL: '', accessToken: 'a' })
const query = (queryFn: () => Promise<string>) =>
  queryOptions({ queryKey: ['a', 1], queryFn, staleTime: usuallyFreshMs })

function Shown({ queryFn }: { queryFn: () => Promise<string> }) {
  const { data, error, isPending, refetch } = useQuery(query(queryFn))
  return (
    <button type="button" onClick={() => void refetch()}>
      {isPending ? 'loading' : (data ?? (error && 'failed'))}
    </button>
  )
}

const show = (queryFn: () => Promise<string>) =>
  render(
    <QueryClientProvider client={queryClient}>
      <Shown queryFn={queryFn} />
    </QueryClientProvider>,
  )

const fetched = () => Promise.resolve('fetched')
const failingOnce = () =>
  vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('down')).mockResolvedValue('fetched')

test('data of the first HTML shows without a call', async () => {
  const queryFn = vi.fn(fetched)
  pageQuery(query(queryFn)).prime(queryClient, 'primed')
  const screen = await show(queryFn)
  await expect.element(screen.getByText('primed')).toBeVisible()
  expect(queryFn).not.toHaveBeenCalled()
})

test('a page that is prefetched twice and then shown makes one call', async () => {
  const queryFn = vi.fn(fetched)
  const page = pageQuery(query(queryFn))
  await Promise.all([page.prefetch(queryClient), page.prefetch(queryClient)])
  const screen = await show(queryFn)
  await expect.element(screen.getByText('fetched')).toBeVisible()
  expect(queryFn).toHaveBeenCalledTimes(1)
})

test('a failure is shown, not repeated by itself, and retried on request', async () => {
  const queryFn = failingOnce()
  const screen = await show(queryFn)
  await expect.element(screen.getByText('failed')).toBeVisible()
  expect(queryFn).toHaveBeenCalledTimes(1)
  await screen.getByText('failed').click()
  await expect.element(screen.getByText('fetched')).toBeVisible()
})

test('a failed query is repeated once its data has changed', async () => {
  const screen = await show(failingOnce())
  await expect.element(screen.getByText('failed')).toBeVisible()
  invalidate(queryClient, ['a'])
  await expect.element(screen.getByText('fetched')).toBeVisible()
})

test('a stale answer is shown until the new one is there', async () => {
  pageQuery(query(fetched)).prime(queryClient, 'old')
  let deliver: (text: string) => void = () => undefined
  const screen = await show(() => new Promise((resolve) => (deliver = resolve)))
  invalidate(queryClient, ['a'])
  await expect.element(screen.getByText('old')).toBeVisible()
  deliver('new')
  await expect.element(screen.getByText('new')).toBeVisible()
})

test.each([true, false])(
  'an answer that became stale on its way is shown, and asked for again; known before: %s',
  async (known) => {
    if (known) pageQuery(query(fetched)).prime(queryClient, 'oldest')
    const deliver: ((text: string) => void)[] = []
    const screen = await show(() => new Promise((resolve) => deliver.push(resolve)))
    if (known) invalidate(queryClient, ['a'])
    await vi.waitFor(() => expect(deliver).toHaveLength(1))
    invalidate(queryClient, ['a'])
    invalidate(queryClient, ['a', 1])
    deliver[0]?.('old')
    await expect.element(screen.getByText('old', { exact: true })).toBeVisible()
    await vi.waitFor(() => expect(deliver).toHaveLength(2))
    deliver[1]?.('new')
    await expect.element(screen.getByText('new')).toBeVisible()
    expect(deliver).toHaveLength(2)
  },
)

test('an answer that became stale on its way, of a query off screen, is requested again when it is shown', async () => {
  const deliver: ((text: string) => void)[] = []
  const queryFn = () => new Promise<string>((resolve) => deliver.push(resolve))
  const prefetched = pageQuery(query(queryFn)).prefetch(queryClient)
  invalidate(queryClient, ['a'])
  deliver[0]?.('old')
  await prefetched
  const screen = await show(queryFn)
  await vi.waitFor(() => expect(deliver).toHaveLength(2))
  deliver[1]?.('new')
  await expect.element(screen.getByText('new')).toBeVisible()
})

test('coming back online asks again', async () => {
  const screen = await show(failingOnce())
  await expect.element(screen.getByText('failed')).toBeVisible()
  window.dispatchEvent(new Event('offline'))
  window.dispatchEvent(new Event('online'))
  await expect.element(screen.getByText('fetched')).toBeVisible()
})

test('a fetch on its way that fails after coming back online is made again', async () => {
  let fail: (error: Error) => void = () => undefined
  const queryFn = vi
    .fn<() => Promise<string>>()
    .mockReturnValueOnce(new Promise((_, reject) => (fail = reject)))
    .mockResolvedValue('fetched')
  const screen = await show(queryFn)
  await vi.waitFor(() => expect(queryFn).toHaveBeenCalledTimes(1))
  window.dispatchEvent(new Event('offline'))
  window.dispatchEvent(new Event('online'))
  fail(new Error('no connection'))
  await expect.element(screen.getByText('fetched')).toBeVisible()
})

test('another user, or a visitor, sees no data of the previous user, nor of a request under way', async () => {
  startSession(person('ada@example.org'))
  pageQuery(query(fetched)).prime(queryClient, 'of Ada')
  let deliver: (text: string) => void = () => undefined
  const late = queryOptions({
    queryKey: ['late'],
    queryFn: () => new Promise<string>((resolve) => (deliver = resolve)),
  })
  const call = pageQuery(late).prefetch(queryClient)
  startSession(person('ada@example.org'))
  expect(queryClient.getQueryData(['a', 1])).toBe('of Ada')
  startSession(null)
  expect(queryClient.getQueryData(['a', 1])).toBeUndefined()
  deliver('of Ada')
  await call
  expect(queryClient.getQueryCache().getAll()).toEqual([])
})

test.each([
  [['results', 'a1', 2], 'the previous page stays'],
  [['results', 'a2', 1], undefined],
  [['results'], undefined],
])('until %j is answered, ["results","a1",1] counts as %s', (key, shown) => {
  const previous = { queryKey: ['results', 'a1', 1] }
  expect(previousOfSubject(key)('the previous page stays', previous)).toBe(shown)
  expect(previousOfSubject(key)(undefined, undefined)).toBeUndefined()
})
