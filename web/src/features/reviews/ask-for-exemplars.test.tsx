import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { renderPage } from '@/test/render-page'
import { ada, sampleList } from '@/test/samples'
import { button, textbox } from '@/test/screen'
import { serve } from '@/test/serve'

const asked = page.getByRole('heading', { name: 'Two pieces of work with known marks' })

/** Ada creates an assignment with some reviews; returns the exemplars that she hands in. */
async function create(reviewsNeeded: string) {
  const exemplars: object[] = []
  serve(
    http.get('*/api/assignments', () => HttpResponse.json(sampleList())),
    http.post('*/api/assignments', () => HttpResponse.json({ insertedId: 'a1' }, { status: 201 })),
    http.get('*/api/assignment/a1/exemplars', () => HttpResponse.json({ data: exemplars })),
    http.post('*/api/assignment/a1/exemplars', async ({ request }) => {
      const sent = (await request.json()) as object
      exemplars.push({ _id: `e${exemplars.length}`, marks: 20, ...sent })
      return HttpResponse.json({ insertedId: 'e' }, { status: 201 })
    }),
  )
  await renderPage('/create-assignment', ada)
  await textbox('Title').fill('Essay')
  await textbox('Description').fill('Say what you think.')
  await textbox('Thumbnail Image URL').fill('https://example.org/picture.png')
  await textbox('Due Date').fill('2099/05/06')
  await page.getByLabelText('Marks', { exact: true }).fill('20')
  await page.getByRole('combobox', { name: 'Reviews needed' }).selectOptions(reviewsNeeded)
  await button('Create Assignment').click()
  await expect.element(page.getByRole('region', { name: 'Published' })).toBeVisible()
  return exemplars
}

test('with three reviews, work of known mark is asked for: a good one, then a poor one', async () => {
  const exemplars = await create('3')
  await expect.element(asked).toBeVisible()
  for (const [name, mark] of [
    ['Add a good one', '18'],
    ['Add a poor one', '7'],
  ] as const) {
    await button(name).click()
    const dialog = page.getByRole('dialog', { name: 'Exemplar' })
    await textbox('Google Docs Link', dialog).fill('https://docs.google.com/document/d/1')
    await dialog.getByLabelText('Mark', { exact: true }).fill(mark)
    await textbox('Reason', dialog).fill('It says why.')
    await button('Submit', dialog).click()
    await expect.element(dialog).not.toBeInTheDocument()
  }
  await expect.element(page.getByText(/^Both are in\./)).toBeVisible()
  expect(exemplars).toMatchObject([{ mark: 18 }, { mark: 7 }])
})

test('one press skips them, on what that costs', async () => {
  await create('3')
  await page
    .getByRole('button', { name: /^Skip.*where a fifth of the reviewers give everyone full marks/ })
    .click()
  await expect.element(asked).not.toBeInTheDocument()
})

test('with two reviews they are not asked for', async () => {
  await create('2')
  await expect.element(asked).not.toBeInTheDocument()
})
