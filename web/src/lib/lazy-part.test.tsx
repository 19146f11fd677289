import { useState, type ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '@/test/render'
import { lazyPart } from './lazy-part'

/** A part whose first fetches fail, as when the server is away. */
function failingAtFirst(times: number) {
  let left = times
  const fetchPart = vi.fn<() => Promise<{ default: (props: { name: string }) => ReactNode }>>(async () => {
    if (left-- > 0) throw new Error('away')
    return { default: ({ name }) => <p>The part of {name}</p> }
  })
  return { fetchPart, fail: (more: number) => (left = more) }
}

async function show(fetchPart: ReturnType<typeof failingAtFirst>['fetchPart']) {
  const Part = lazyPart(fetchPart, (failure) =>
    failure ? (
      <button type="button" onClick={() => void failure.retry()}>
        Retry
      </button>
    ) : (
      'Loading'
    ),
  )
  function Host() {
    const [open, setOpen] = useState(false)
    return (
      <>
        <button type="button" {...Part.opener} onClick={() => setOpen(!open)}>
          Open
        </button>
        {open && <Part name="Ada" />}
      </>
    )
  }
  // The server cannot be asked for its release either.
  vi.spyOn(window, 'fetch').mockRejectedValue(new TypeError('away'))
  await render(<Host />)
}

const open = page.getByRole('button', { name: 'Open' })
const retry = page.getByRole('button', { name: 'Retry' })

test('pointing at the opener fetches the part, which then shows at once', async () => {
  const { fetchPart } = failingAtFirst(0)
  await show(fetchPart)
  await open.hover()
  await vi.waitFor(() => expect(fetchPart).toHaveBeenCalledOnce())
  await open.click()
  await expect.element(page.getByText('The part of Ada')).toBeVisible()
  expect(fetchPart).toHaveBeenCalledOnce()
})

test('a part that failed is fetched again on Retry', async () => {
  const { fetchPart, fail } = failingAtFirst(99)
  await show(fetchPart)
  await open.click()
  await retry.click()
  await expect.element(retry).toBeVisible()
  fail(0)
  await retry.click()
  await expect.element(page.getByText('The part of Ada')).toBeVisible()
})

test('a part that failed is fetched again when it is shown again', async () => {
  const { fetchPart, fail } = failingAtFirst(99)
  await show(fetchPart)
  await open.click()
  await expect.element(retry).toBeVisible()
  await open.click()
  await expect.element(retry).not.toBeInTheDocument()
  fail(0)
  await open.click()
  await expect.element(page.getByText('The part of Ada')).toBeVisible()
})

test('a part that failed is fetched again when the network is back', async () => {
  const { fetchPart, fail } = failingAtFirst(99)
  await show(fetchPart)
  await open.click()
  await expect.element(retry).toBeVisible()
  fail(0)
  window.dispatchEvent(new Event('online'))
  await expect.element(page.getByText('The part of Ada')).toBeVisible()
})
