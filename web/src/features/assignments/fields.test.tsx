import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { renderPage } from '@/test/render-page'
import { ada, sampleAssignment } from '@/test/samples'
import { serve } from '@/test/serve'
import { fields, inputOf, valuesOf } from './form-schema'

// A field that a later change adds to the schema must have an input and show on the
// assignment's page, or this file names it.

test('each field has an input in the form', async () => {
  await renderPage('/create-assignment', ada)
  // Rubric, duty and way to the mark have inputs once several people review.
  await page.getByLabelText('Reviews needed').selectOptions('2')
  await page.getByText('Advanced', { exact: true }).click()
  for (const field of fields.filter((name) => name !== 'rubric')) {
    await expect
      .poll(() => document.querySelector(`form [name="${field}"]`), { message: field })
      .not.toBeNull()
  }
})

const rubric = {
  criteria: [
    {
      title: 'Reasoning',
      levels: [
        { label: 'None', marks: 0 },
        { label: 'All', marks: 20 },
      ],
    },
  ],
}
const assignment = sampleAssignment({
  reviewsNeeded: 3,
  reviewsOwed: 7,
  reviewDueDate: '2099-05-06T23:59:59Z',
  markBy: 'median',
  lateLinks: true,
  rubric,
})
const values = valuesOf(assignment)

/** What a value looks like on the page, where it differs. */
const shown: Partial<Record<keyof typeof values, string>> = {
  level: 'Easy',
  markBy: 'Median of the reviews',
  lateLinks: 'Late after the due date',
  rubric: 'Reasoning',
}

test("each field shows on the assignment's page", async () => {
  serve(http.get('*/api/assignment/a1', () => HttpResponse.json(assignment)))
  await renderPage('/assignment/a1')
  // A drawing replaces a picture that cannot be loaded.
  for (const field of fields.filter((name) => name !== 'thumbnail')) {
    const value = shown[field] ?? `${values[field] as string | number}`
    expect(value, `sampleAssignment has no ${field}`).not.toBe('')
    await expect.poll(() => document.querySelector('main')?.textContent, { message: field }).toContain(value)
  }
})

test('each field is sent', () => {
  expect(Object.keys(inputOf(values)).toSorted()).toEqual([...fields].toSorted())
})
