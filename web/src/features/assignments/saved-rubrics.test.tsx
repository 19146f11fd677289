import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderPage } from '@/test/render-page'
import { ada } from '@/test/samples'
import { answerBox, button, textbox } from '@/test/screen'
import { gate, serve } from '@/test/serve'

const levels = [
  { label: 'Weak', marks: 0 },
  { label: 'Strong', marks: 10 },
]
const saved = {
  _id: 'q1',
  name: 'Essays',
  criteria: [
    { title: 'Argument', levels },
    { title: 'Language', levels },
  ],
  mine: true,
  may: { delete: true },
}

const needed = page.getByRole('combobox', { name: 'Reviews needed' })
const picker = page.getByRole('combobox', { name: 'Saved rubric' })

test('a saved rubric takes the place of the present one, and can be deleted', async () => {
  let kept = [saved]
  serve(
    http.get('*/api/rubrics', () => HttpResponse.json({ data: kept })),
    http.delete('*/api/rubrics/q1', () => {
      kept = []
      return HttpResponse.json({ deletedCount: 1 })
    }),
  )
  await renderPage('/create-assignment', ada)
  await needed.selectOptions('2')
  await button('Add a criterion').click()
  await textbox('Criterion').fill('Something else')
  await expect.element(button('Use it')).not.toBeInTheDocument()
  await picker.selectOptions('Essays')
  await button('Use it').click()
  const criteria = page.getByRole('textbox', { name: 'Criterion', exact: true })
  await expect.element(criteria.nth(1)).toHaveValue('Language')
  await expect.element(criteria.first()).toHaveValue('Argument')
  await expect.element(page.getByLabelText('Marks', { exact: true })).toHaveValue(20)
  await button('Delete it').click()
  await answerBox('Delete “Essays”?', null, 'Delete')
  await expect.element(picker).not.toBeInTheDocument()
  await expect.element(criteria.first()).toHaveValue('Argument')
})

test('the present rubric is saved under a name, by keys, without sending the form', async () => {
  const sent: unknown[] = []
  serve(
    http.get('*/api/rubrics', () => HttpResponse.json({ data: [] })),
    http.post('*/api/rubrics', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json({ insertedId: 'q1' }, { status: 201 })
    }),
  )
  await renderPage('/create-assignment', ada)
  await needed.selectOptions('2')
  await expect.element(button('Save this rubric')).not.toBeInTheDocument()
  await button('Add a criterion').click()
  await textbox('Criterion').fill('Argument')
  await button('Save this rubric').click()
  await expect.element(textbox('Name of the rubric')).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('Give it a name.')).toBeVisible()
  await userEvent.type(textbox('Name of the rubric'), 'Essays{Enter}')
  await expect.element(button('Save this rubric')).toHaveFocus()
  expect(sent).toMatchObject([{ name: 'Essays', criteria: [{ title: 'Argument' }] }])
  expect(sent[0]).not.toHaveProperty('circleId')
  await expect.element(page.getByText('Enter a title.')).not.toBeInTheDocument()
})

test('Enter twice saves a rubric once', async () => {
  const late = gate()
  let saves = 0
  serve(
    http.get('*/api/rubrics', () => HttpResponse.json({ data: [] })),
    http.post('*/api/rubrics', async () => {
      saves++
      await late.opened
      return HttpResponse.json({ insertedId: 'q1' }, { status: 201 })
    }),
  )
  await renderPage('/create-assignment', ada)
  await needed.selectOptions('2')
  await button('Add a criterion').click()
  await button('Save this rubric').click()
  await userEvent.type(textbox('Name of the rubric'), 'Essays{Enter}{Enter}')
  late.open()
  await expect.element(button('Save this rubric')).toHaveFocus()
  expect(saves).toBe(1)
})
