import { http, HttpResponse } from 'msw'
import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { serve } from '@/test/serve'
import { startSearch } from './search'

const entries = [
  { id: '#hand-in', title: 'Hand in your work', heading: '', text: 'Paste the address and press Submit.' },
  { id: '#backup', title: 'Operations', heading: 'Backups', text: 'The server makes a backup every day.' },
  { id: '#resume', title: 'Glossary', heading: 'Résumé', text: 'With accents.' },
]

const index = http.get('*/index.json', () => HttpResponse.json(entries))

/** Puts the form of docs/book/layouts/_default/baseof.html on the page and starts it. */
function form(): void {
  const holder = document.createElement('div')
  holder.innerHTML = `<form data-index="/docs/assets/index.json" hidden>
    <label for="words">Search the documentation</label><input id="words" type="search" autocomplete="off">
    <p role="status" class="unseen"></p><ul aria-label="Search results" hidden></ul></form>`
  document.body.append(holder)
  onTestFinished(() => {
    holder.remove()
    history.replaceState(null, '', location.pathname + location.search)
  })
  const made = holder.querySelector('form')
  if (!made) throw new Error('no form')
  startSearch(made)
}

const field = () => page.getByRole('searchbox', { name: 'Search the documentation' })
const results = () => page.getByRole('list', { name: 'Search results' }).getByRole('link')
const headings = () =>
  results()
    .elements()
    .map((link) => link.querySelector('b')?.textContent)

test('the keyboard reaches the field, the results and a page', async () => {
  serve(index)
  form()
  await userEvent.keyboard('/')
  await expect.element(field()).toHaveFocus()
  await expect.element(field()).toHaveValue('')
  await userEvent.keyboard('the')
  await expect.element(page.getByRole('status')).toHaveTextContent('2 sections found')
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(results().first()).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  await expect.element(results().last()).toHaveFocus()
  await userEvent.keyboard('{ArrowUp}{ArrowUp}')
  await expect.element(field()).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}{Enter}')
  expect(entries.map(({ id }) => id)).toContain(location.hash)
  await expect.element(results()).not.toBeInTheDocument()
})

test('words are found by their beginning, without accents, and with a slip of the pen', async () => {
  serve(index)
  form()
  for (const [typed, heading] of [
    ['back', 'Backups'],
    ['resume', 'Résumé'],
    ['bakups', 'Backups'],
    ['HAND work', 'Hand in your work'],
  ] as const) {
    await field().fill(typed)
    await expect.poll(headings).toEqual([heading])
  }
  await field().fill('backup submit')
  await expect.element(page.getByRole('status')).toHaveTextContent('Nothing found for ‘backup submit’')
  await userEvent.keyboard('{Escape}')
  await expect.element(field()).toHaveValue('')
  await expect.element(page.getByRole('status')).toHaveTextContent('')
})

test('an index that could not be loaded is asked for again', async () => {
  let down = true
  serve(http.get('*/index.json', () => (down ? HttpResponse.error() : HttpResponse.json(entries))))
  form()
  await field().fill('backup')
  await expect
    .element(page.getByRole('status'))
    .toHaveTextContent('The search could not be loaded. Please try again.')
  down = false
  await field().fill('backups')
  await expect.element(results()).toBeVisible()
})
