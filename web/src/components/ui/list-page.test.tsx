import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from '@/test/render'
import { Problem } from '@/lib/problem'
import { usePage } from '@/lib/search-params'
import { ListPage } from './list-page'

interface Answer {
  data: string[]
  totalPages: number
}

function Words({ read }: { read: (page: number) => Promise<Answer> }) {
  const { page: at } = usePage()
  const heading = useRef<HTMLHeadingElement>(null)
  const list = useQuery({ queryKey: ['words', at], queryFn: () => read(at), retry: false })
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        Words
      </h1>
      <ListPage
        list={list}
        totalPages={list.data?.totalPages}
        loading="Loading words"
        heading={heading}
        empty={list.data?.data.length === 0 && <p>No words.</p>}
      >
        {({ data }) => data.map((word) => <p key={word}>{word}</p>)}
      </ListPage>
    </>
  )
}

async function show(read: (page: number) => Promise<Answer>, address = '/words?sort=old') {
  const client = new QueryClient()
  const router = createMemoryRouter([{ path: '/words', element: <Words read={read} /> }], {
    initialEntries: [address],
  })
  await render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return { client, address: () => router.state.location.pathname + router.state.location.search }
}

const threePages = async (at: number): Promise<Answer> => ({ data: [`word ${at}`], totalPages: 3 })
function later() {
  let resolve = (_answer: Answer) => {}
  let reject = (_error: unknown) => {}
  const promise = new Promise<Answer>((resolveIt, rejectIt) => {
    resolve = resolveIt
    reject = rejectIt
  })
  return { promise, resolve, reject }
}

const link = (name: string) => page.getByRole('link', { name, exact: true })

test('pages are links that keep the rest of the address; the present one is marked', async () => {
  const { address } = await show(threePages)
  await expect.element(page.getByText('word 1')).toBeVisible()
  await expect.element(link('2')).toHaveAttribute('href', '/words?sort=old&page=2')
  await expect.element(link('Next')).toHaveAttribute('href', '/words?sort=old&page=2')
  await expect.element(link('1')).toHaveAttribute('aria-current', 'page')
  await expect.element(link('2')).not.toHaveAttribute('aria-current')
  await expect.element(link('Prev')).toHaveAttribute('aria-disabled', 'true')
  await link('3').click()
  await expect.element(page.getByText('word 3')).toBeVisible()
  expect(address()).toBe('/words?sort=old&page=3')
  await expect.element(page.getByRole('heading', { name: 'Words' })).toHaveFocus()
  await expect.element(link('Next')).toHaveAttribute('aria-disabled', 'true')
  await expect.element(link('1')).toHaveAttribute('href', '/words?sort=old')
})

test('a press with a key held down leaves page and focus as they are', async () => {
  const { address } = await show(threePages)
  await expect.element(link('2')).toBeVisible()
  // A second window is the browser's to open.
  document.addEventListener('click', (event) => event.preventDefault(), { once: true })
  await userEvent.keyboard('{Control>}')
  await link('2').click()
  await userEvent.keyboard('{/Control}')
  expect(address()).toBe('/words?sort=old')
  await expect.element(page.getByRole('heading', { name: 'Words' })).not.toHaveFocus()
})

test('an address past the end leads to the last page', async () => {
  const { address } = await show(
    async (at) => ({ data: at > 3 ? [] : [`word ${at}`], totalPages: 3 }),
    '/words?page=9',
  )
  await expect.element(page.getByText('word 3')).toBeVisible()
  expect(address()).toBe('/words?page=3')
})

test('a list is loading, failed with a retry, empty, and out of date', async () => {
  let answer = later()
  const { client } = await show(() => answer.promise)
  await expect.element(page.getByRole('status', { name: 'Loading words' })).toBeInTheDocument()
  const away = new Problem('The server is away.', { status: 0, code: 'away' })
  answer.reject(away)
  await expect.element(page.getByRole('alert').getByText('The server is away.')).toBeVisible()
  answer = later()
  answer.resolve({ data: [], totalPages: 0 })
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect.element(page.getByText('No words.')).toBeVisible()
  await expect.element(page.getByRole('navigation')).not.toBeInTheDocument()
  answer = later()
  answer.reject(away)
  await client.invalidateQueries()
  await expect
    .element(page.getByRole('status').getByText('This may be out of date. The server is away.'))
    .toBeVisible()
  await expect.element(page.getByText('No words.')).toBeVisible()
})
