import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { renderPage } from '@/test/render-page'
import { ada, sampleAssignment, sampleList } from '@/test/samples'
import { answerBox, button, textbox } from '@/test/screen'
import { serve } from '@/test/serve'

const needed = page.getByRole('combobox', { name: 'Reviews needed' })
const marks = page.getByLabelText('Marks', { exact: true })
const criterion = (n: number) => page.getByRole('group', { name: `Criterion ${n}`, exact: true })
const worth = (level: number, of: number) => criterion(of).getByLabelText(`Level ${level} is worth`)

/** The form's requests to create and update, and the answer to an update. */
function taking(answer = () => HttpResponse.json({ matchedCount: 1, modifiedCount: 1 })) {
  const sent: unknown[] = []
  serve(
    http.get('*/api/assignments', () => HttpResponse.json(sampleList())),
    http.get('*/api/assignment/a1/exemplars', () => HttpResponse.json({ data: [] })),
    http.get('*/api/assignment/a1', () => HttpResponse.json(reviewed)),
    http.put('*/api/assignment/a1', async ({ request }) => {
      sent.push(await request.json())
      return answer()
    }),
    http.post('*/api/assignments', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json({ insertedId: 'a1' }, { status: 201 })
    }),
  )
  return sent
}

const levels = [
  { label: 'Weak', marks: 0 },
  { label: 'Strong', marks: 10 },
]
const rubric = {
  criteria: [
    { title: 'Argument', levels },
    { title: 'Language', levels },
  ],
}
const reviewed = sampleAssignment({ reviewsNeeded: 3, rubric })

test('a rubric is written level by level, and the marks are what it adds up to', async () => {
  const sent = taking()
  const address = await renderPage('/create-assignment', ada)
  await textbox('Title').fill('Essay')
  await textbox('Description').fill('Say what you think.')
  await textbox('Thumbnail Image URL').fill('https://example.org/picture.png')
  await textbox('Due Date').fill('2099/05/06')
  await marks.fill('30')
  await expect.element(button('Add a criterion')).not.toBeInTheDocument()
  await needed.selectOptions('3')

  await button('Add a criterion').click()
  await expect.element(textbox('Criterion', criterion(1))).toHaveFocus()
  await textbox('Criterion', criterion(1)).fill('Argument')
  await expect.element(marks).toHaveValue(10)
  await expect.element(marks).toHaveAttribute('readonly')
  await expect.element(page.getByText('Marks now match the rubric: 30 became 10.')).toBeVisible()
  await button('Add a criterion').click()
  await textbox('Criterion', criterion(2)).fill('Language')
  await worth(3, 2).fill('8')
  await expect.element(page.getByText('Total: 18 marks')).toBeVisible()
  await expect.element(marks).toHaveValue(18)

  await button('Add a level', criterion(2)).click()
  await expect.element(textbox('Level 4', criterion(2))).toHaveFocus()
  await textbox('Level 4', criterion(2)).fill('Beautiful')
  await worth(4, 2).fill('12')
  await button('Remove level 2', criterion(2)).click()
  await expect.element(textbox('Level 2', criterion(2))).toHaveValue('Fully')
  await expect.element(textbox('Level 2', criterion(2))).toHaveFocus()

  await button('Create Assignment').click()
  await expect.poll(address).toBe('/assignments')
  expect(sent).toMatchObject([
    {
      marks: 22,
      reviewsNeeded: 3,
      rubric: {
        criteria: [
          {
            title: 'Argument',
            levels: [
              { label: 'Not yet', marks: 0 },
              { label: 'Partly', marks: 5 },
              { label: 'Fully', marks: 10 },
            ],
          },
          {
            title: 'Language',
            levels: [
              { label: 'Not yet', marks: 0 },
              { label: 'Fully', marks: 8 },
              { label: 'Beautiful', marks: 12 },
            ],
          },
        ],
      },
    },
  ])
})

test('a rubric’s faults are shown where they are', async () => {
  const sent = taking()
  await renderPage('/create-assignment', ada)
  await textbox('Title').fill('Essay')
  await textbox('Description').fill('Say what you think.')
  await textbox('Thumbnail Image URL').fill('https://example.org/picture.png')
  await textbox('Due Date').fill('2099/05/06')
  await needed.selectOptions('2')
  await button('Add a criterion').click()
  await button('Create Assignment').click()
  await expect.element(criterion(1).getByText('Say what to look at.')).toBeVisible()
  await expect.element(textbox('Criterion', criterion(1))).toHaveFocus()
  await textbox('Criterion', criterion(1)).fill('Argument')
  await textbox('Level 2', criterion(1)).fill('')
  await button('Create Assignment').click()
  await expect.element(textbox('Level 2', criterion(1))).toHaveAttribute('aria-invalid', 'true')
  await textbox('Level 2', criterion(1)).fill('Half')
  await worth(2, 1).fill('1001')
  await button('Create Assignment').click()
  await expect.element(criterion(1).getByText('A whole number from 0 to 1,000.')).toBeVisible()
  expect(sent).toEqual([])
  // One grade needs no rubric: its faults no longer matter.
  await needed.selectOptions('1')
  await expect.element(marks).not.toHaveAttribute('readonly')
  await marks.fill('20')
  await button('Create Assignment').click()
  await expect.poll(() => sent.length).toBe(1)
  expect(sent[0]).not.toHaveProperty('rubric')
})

test('removing criteria leads the focus on, and gives the marks back', async () => {
  taking()
  await renderPage('/create-assignment', ada)
  await needed.selectOptions('2')
  await button('Add a criterion').click()
  await textbox('Criterion', criterion(1)).fill('First')
  await button('Add a criterion').click()
  await textbox('Criterion', criterion(2)).fill('Second')
  await button('Remove criterion', criterion(1)).click()
  await expect.element(textbox('Criterion', criterion(1))).toHaveValue('Second')
  await expect.element(textbox('Criterion', criterion(1))).toHaveFocus()
  await button('Remove criterion', criterion(1)).click()
  await expect.element(button('Add a criterion')).toHaveFocus()
  await expect.element(marks).not.toHaveAttribute('readonly')
})

test('a saved rubric is shown for changes, and sent where it changed', async () => {
  const sent = taking()
  await renderPage('/assignment/update/a1', ada)
  await expect.element(textbox('Criterion', criterion(2))).toHaveValue('Language')
  await textbox('Title').fill('Another title')
  await button('Update Assignment').click()
  await answerBox('Are you sure?', null)
  await answerBox('Updated', null)
  expect(sent[0]).not.toHaveProperty('rubric')
  expect(sent[0]).not.toHaveProperty('reviewsNeeded')

  await renderPage('/assignment/update/a1', ada)
  await worth(2, 2).fill('12')
  await expect.element(marks).toHaveValue(22)
  await button('Update Assignment').click()
  await answerBox('Are you sure?', null)
  await answerBox('Updated', null)
  expect(sent[1]).toMatchObject({ marks: 22, rubric: { criteria: [{}, { title: 'Language' }] } })
})

test('a saved rubric goes with its last criterion, and the marks are typed again', async () => {
  const sent = taking()
  await renderPage('/assignment/update/a1', ada)
  await button('Remove criterion', criterion(2)).click()
  await button('Remove criterion', criterion(1)).click()
  await expect.element(button('Add a criterion')).toHaveFocus()
  await expect.element(marks).not.toHaveAttribute('readonly')
  await marks.fill('30')
  await button('Update Assignment').click()
  await answerBox('Are you sure?', null)
  await answerBox('Updated', null)
  expect(sent[0]).toMatchObject({ marks: 30, rubric: null })
  expect(sent[0]).not.toHaveProperty('reviewsNeeded')
})

test('the server’s refusal of a rubric is shown there', async () => {
  const errors = [{ location: 'body.rubric.criteria[0].levels[1].label', message: 'Not this label.' }]
  taking(() => HttpResponse.json({ code: 'invalid', detail: 'x', errors }, { status: 422 }))
  await renderPage('/assignment/update/a1', ada)
  await textbox('Level 2', criterion(1)).fill('Odd')
  await button('Update Assignment').click()
  await answerBox('Are you sure?', null)
  await expect.element(criterion(1).getByText('Not this label.')).toBeVisible()
  await expect.element(textbox('Level 2', criterion(1))).toHaveFocus()
})
