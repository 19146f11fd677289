import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { renderPage } from '@/test/render-page'
import { ada, sampleAssignment, sampleList } from '@/test/samples'
import { answerBox, button, textbox } from '@/test/screen'
import { serve } from '@/test/serve'

async function fillAssignment(title: string): Promise<void> {
  await textbox('Title').fill(title)
  await textbox('Description').fill('Say what you think.')
  await page.getByLabelText('Marks').fill('42')
  await textbox('Thumbnail Image URL').fill('https://example.org/picture.png')
  await page.getByRole('combobox', { name: 'Level' }).selectOptions('Medium')
  await textbox('Due Date').fill('2099/05/06')
}

test('an assignment that was not created stays in the form', async () => {
  serve(http.post('*/api/assignments', () => HttpResponse.json({}, { status: 201 })))
  const address = await renderPage('/create-assignment', ada)
  await fillAssignment('Kept')
  await button('Create Assignment').click()
  await answerBox('Error', null)
  await expect.element(textbox('Title')).toHaveValue('Kept')
  expect(address()).toBe('/create-assignment')
})

test('a draft outlives a failed send, and is dropped once it is sent', async () => {
  let failing = true
  serve(
    http.get('*/api/assignments', () => HttpResponse.json(sampleList())),
    http.post('*/api/assignments', () =>
      failing
        ? HttpResponse.json({ detail: 'Not today.' }, { status: 500 })
        : HttpResponse.json({ insertedId: 'a1' }, { status: 201 }),
    ),
  )
  const address = await renderPage('/create-assignment', ada)
  await fillAssignment('Kept')
  await button('Create Assignment').click()
  await answerBox('Error', 'Not today.')
  await expect.element(textbox('Title')).toHaveValue('Kept')
  failing = false
  await button('Create Assignment').click()
  await expect.poll(address).toBe('/assignments')
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Create Assignment' })
    .click()
  await expect.element(textbox('Title')).toHaveValue('')
})

test('a refusal by the server is shown under its field', async () => {
  const errors = [{ location: 'body.title', message: 'Not this title.' }]
  serve(
    http.post('*/api/assignments', () =>
      HttpResponse.json({ code: 'invalid', detail: 'x', errors }, { status: 422 }),
    ),
  )
  await renderPage('/create-assignment', ada)
  await fillAssignment('Fine here')
  await button('Create Assignment').click()
  await expect.element(page.getByText('Not this title.')).toBeVisible()
  await expect.element(textbox('Title')).toHaveFocus()
})

test('an update refused as another user’s assignment is reported', async () => {
  serve(
    http.get('*/api/assignments', () => HttpResponse.json(sampleList())),
    http.get('*/api/assignment/a1', () => HttpResponse.json(sampleAssignment())),
    http.put('*/api/assignment/a1', () =>
      HttpResponse.json({ code: 'not-your-assignment', detail: 'x' }, { status: 403 }),
    ),
  )
  const address = await renderPage('/assignment/update/a1', ada)
  await button('Update Assignment').click()
  await answerBox('Are you sure?', null)
  await answerBox('Oops...', 'You not create this assignment')
  await expect.poll(address).toBe('/assignments')
})

test('the description is previewed by the server, and what is wrong with it is mended in the box', async () => {
  const asked: unknown[] = []
  serve(
    http.post('*/api/preview', async ({ request }) => {
      asked.push(await request.json())
      return HttpResponse.json({ html: '<h2>Read</h2><p>and <em>write</em></p>' })
    }),
  )
  await renderPage('/create-assignment', ada)
  await fillAssignment('Previewed')
  await textbox('Description').fill('# Read\n\nand *write*')
  const panel = page.getByRole('tabpanel', { name: 'Preview' })
  await page.getByRole('tab', { name: 'Preview' }).click()
  await expect.element(panel.getByRole('heading', { name: 'Read' })).toBeVisible()
  await expect.element(panel.getByText('write')).toBeVisible()
  expect(asked).toEqual([{ of: 'description', text: '# Read\n\nand *write*' }])
  await page.getByRole('tab', { name: 'Write' }).click()
  await expect.element(textbox('Description')).toHaveValue('# Read\n\nand *write*')

  await textbox('Description').fill('x'.repeat(10_001))
  await page.getByRole('tab', { name: 'Preview' }).click()
  await button('Create Assignment').click()
  await expect.element(textbox('Description')).toBeVisible()
  await expect.element(textbox('Description')).toHaveAttribute('aria-invalid', 'true')
})
