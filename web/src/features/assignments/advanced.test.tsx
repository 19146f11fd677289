import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { renderPage } from '@/test/render-page'
import { ada, sampleAssignment, sampleList } from '@/test/samples'
import { button, textbox } from '@/test/screen'
import { serve } from '@/test/serve'

const advanced = page.getByText('Advanced', { exact: true })
const choice = (name: string) => page.getByRole('combobox', { name, exact: true })
const owed = textbox('Reviews owed')

/** The form's requests. */
function taking() {
  const sent: unknown[] = []
  serve(
    http.get('*/api/assignments', () => HttpResponse.json(sampleList())),
    http.get('*/api/assignment/a1/exemplars', () => HttpResponse.json({ data: [] })),
    http.post('*/api/assignments', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json({ insertedId: 'a1' }, { status: 201 })
    }),
  )
  return sent
}

async function fill() {
  await textbox('Title').fill('Essay')
  await textbox('Description').fill('Say what you think.')
  await page.getByLabelText('Marks', { exact: true }).fill('30')
  await textbox('Thumbnail Image URL').fill('https://example.org/picture.png')
  await textbox('Due Date').fill('2099/05/06')
  await choice('Reviews needed').selectOptions('3')
}

test('what is rarely changed is folded, and an assignment is created without it', async () => {
  const sent = taking()
  const address = await renderPage('/create-assignment', ada)
  await fill()
  await expect.element(button('Add a criterion')).toBeVisible()
  for (const name of ['Changed links', 'Mark by']) await expect.element(choice(name)).not.toBeInTheDocument()
  await button('Create Assignment').click()
  await expect.poll(address).toBe('/assignments')
  expect(sent).toMatchObject([{ title: 'Essay', reviewsNeeded: 3 }])
  for (const field of ['lateLinks', 'markBy', 'reviewsOwed', 'reviewDueDate'])
    expect(sent[0]).not.toHaveProperty(field)
})

test('what is chosen in it is sent', async () => {
  const sent = taking()
  const address = await renderPage('/create-assignment', ada)
  await fill()
  await advanced.click()
  await expect.element(choice('Mark by')).toHaveValue('model')
  await expect.element(page.getByRole('option', { name: 'Model (recommended)' })).toBeInTheDocument()
  await choice('Mark by').selectOptions('Median')
  await choice('Changed links').selectOptions('Late')
  await advanced.click()
  await expect.element(choice('Mark by')).not.toBeInTheDocument()
  await button('Create Assignment').click()
  await expect.poll(address).toBe('/assignments')
  expect(sent).toMatchObject([{ markBy: 'median', lateLinks: true }])
})

test('a fault in it opens it and gets the focus, after the faults above it', async () => {
  taking()
  await renderPage('/create-assignment', ada)
  await fill()
  await textbox('Title').fill('')
  await advanced.click()
  await owed.fill('99')
  await advanced.click()
  await expect.element(owed).not.toBeInTheDocument()
  await button('Create Assignment').click()
  await expect.element(owed).toBeVisible()
  await expect.element(textbox('Title')).toHaveFocus()
  await textbox('Title').fill('Essay')
  await advanced.click()
  await expect.element(owed).not.toBeInTheDocument()
  await button('Create Assignment').click()
  await expect.element(owed).toHaveFocus()
  await expect.element(page.getByText('A whole number from 1 to 20.')).toBeVisible()
})

test('it is open where an assignment has something else than usual, and closed where not', async () => {
  let saved = sampleAssignment({ lateLinks: true })
  serve(http.get('*/api/assignment/a1', () => HttpResponse.json(saved)))
  await renderPage('/assignment/update/a1', ada)
  await expect.element(choice('Changed links')).toHaveValue('yes')
  saved = sampleAssignment({ _id: 'a2' })
  serve(http.get('*/api/assignment/a2', () => HttpResponse.json(saved)))
  await renderPage('/assignment/update/a2', ada)
  await expect.element(advanced).toBeVisible()
  await expect.element(choice('Changed links')).not.toBeInTheDocument()
})

test('for whom it is comes first, and the due date says its time and time zone', async () => {
  taking()
  await renderPage('/create-assignment', ada)
  const title = textbox('Title')
  await expect.element(title).toBeVisible()
  const audience = page.getByText('For', { exact: true })
  await expect.element(audience).toBeVisible()
  expect(
    audience.element().compareDocumentPosition(title.element()) & Node.DOCUMENT_POSITION_FOLLOWING,
  ).not.toBe(0)
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  await expect
    .element(textbox('Due Date'))
    .toHaveAccessibleDescription(`yyyy/MM/dd. Due at 23:59, ${timeZone.replaceAll('_', ' ')}.`)
})
