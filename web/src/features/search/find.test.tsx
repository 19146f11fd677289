import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { SearchResults } from '@/entities/search/queries'
import { renderPage } from '@/test/render-page'
import { ada } from '@/test/samples'
import { button, texts } from '@/test/screen'
import { serve } from '@/test/serve'

const dialog = page.getByRole('dialog', { name: 'Find anything' })
const box = dialog.getByRole('searchbox')
const none: SearchResults = {
  assignments: [],
  publicTotal: 0,
  circles: [],
  submissions: [],
  submissionsTotal: 0,
}

/** Opens a page of Ada's, on which searches find some results. */
function openPage(found: (search: string) => Partial<SearchResults> = () => ({})) {
  serve(
    http.get('*/api/search', ({ request }) =>
      HttpResponse.json({ ...none, ...found(new URL(request.url).searchParams.get('search') ?? '') }),
    ),
  )
  return renderPage('/about-Us', ada)
}

const tides = (): Partial<SearchResults> => ({
  assignments: [
    { _id: 'a1', title: 'Tides', circleId: 'c1', circleName: 'Readers' },
    { _id: 'a2', title: 'Tides of the sea' },
  ],
  publicTotal: 9,
  circles: [{ _id: 'c1', name: 'Tidal readers' }],
  submissions: [
    { _id: 's1', assignmentTitle: 'Tides & moons', status: 'completed', submittedAt: '2026-02-01T12:00:00Z' },
  ],
  submissionsTotal: 1,
})

test('the slash and Ctrl+K open it outside of text boxes, and Escape closes it', async () => {
  await openPage()
  await expect.element(button('Find anything')).toBeVisible()
  for (const keys of ['/', '{Control>}k{/Control}', '{Meta>}k{/Meta}']) {
    await userEvent.keyboard(keys)
    await expect.element(box).toHaveFocus()
    await expect.element(box).toHaveValue('')
    await userEvent.keyboard('/')
    await expect.element(box).toHaveValue('/')
    await userEvent.keyboard('{Escape}')
    await expect.element(dialog).not.toBeInTheDocument()
  }
  await userEvent.keyboard('{Alt>}/{/Alt}')
  await expect.element(dialog).not.toBeInTheDocument()
})

test('a visitor has no button, and the keys do nothing', async () => {
  await renderPage('/about-Us')
  await expect.element(page.getByRole('banner')).toBeVisible()
  await userEvent.keyboard('/')
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(button('Find anything')).not.toBeInTheDocument()
})

test('results are links under headings with their circles, and the arrows and Enter follow them', async () => {
  const address = await openPage(tides)
  await button('Find anything').click()
  await expect.element(box).toHaveFocus()
  await userEvent.keyboard('tide')
  await expect
    .poll(() => texts(dialog.getByRole('heading', { level: 3 })))
    .toEqual(['Assignments', 'Circles', 'What you handed in'])
  expect(texts(dialog.getByRole('listitem'))).toEqual([
    'TidesReaders',
    'Tides of the sea',
    'Tidal readers',
    'Tides & moonscompleted · 2026/02/01',
  ])
  await expect.element(dialog.getByRole('status')).toHaveTextContent('4 results')
  await expect
    .element(dialog.getByRole('link', { name: 'All 9 public assignments' }))
    .toHaveAttribute('href', '/assignments?search=tide')
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(dialog.getByRole('link', { name: 'Tides Readers' })).toHaveFocus()
  await userEvent.keyboard('{ArrowUp}{ArrowUp}')
  await expect
    .element(dialog.getByRole('link', { name: 'Tides & moons completed · 2026/02/01' }))
    .toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(address).toBe('/attemded-assignments?search=Tides+%26+moons')
  await expect.element(dialog).not.toBeInTheDocument()
})

test('Enter in the box goes to the first result of what it shows', async () => {
  const address = await openPage((search) =>
    search === 'tides' ? { assignments: [{ _id: 'a2', title: 'Tides' }], publicTotal: 1 } : {},
  )
  await button('Find anything').click()
  await expect.element(box).toHaveFocus()
  await userEvent.keyboard('moon{Enter}')
  await expect
    .element(dialog.getByRole('status'))
    .toHaveTextContent('Nothing that you may see has these words.')
  await userEvent.clear(box)
  await userEvent.keyboard('tides')
  await expect.element(dialog.getByRole('link', { name: 'Tides' })).toBeVisible()
  await userEvent.keyboard('{Enter}')
  await expect.poll(address).toBe('/assignment/a2')
})

test('a failure says why, and Retry asks again', async () => {
  let fails = true
  serve(
    http.get('*/api/search', () =>
      fails ? HttpResponse.error() : HttpResponse.json({ ...none, ...tides() }),
    ),
  )
  await renderPage('/about-Us', ada)
  await button('Find anything').click()
  await expect.element(box).toHaveFocus()
  await userEvent.keyboard('tide')
  await expect.element(dialog.getByRole('alert')).toBeVisible()
  fails = false
  await button('Retry', dialog).click()
  await expect.element(dialog.getByRole('link', { name: 'Tidal readers' })).toBeVisible()
})
