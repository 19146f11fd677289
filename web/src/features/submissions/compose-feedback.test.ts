import { expect, test } from 'vitest'
import { composeFeedback } from './compose-feedback'

const criteria = [{ title: 'Argument' }, { title: 'Language' }]

test('comments stand under their criteria, in the rubric’s order, before the general comment', () => {
  expect(composeFeedback(criteria, ['Clear.\n\n- Step 2', ' '], ' Well done. ')).toBe(
    '**Argument**\n\nClear.\n\n- Step 2\n\nWell done.',
  )
  expect(composeFeedback(criteria, ['One.', 'Two.'], '')).toBe('**Argument**\n\nOne.\n\n**Language**\n\nTwo.')
})

test('without comments the feedback is as it was typed', () => {
  expect(composeFeedback(criteria, [], 'Just *this*.')).toBe('Just *this*.')
  expect(composeFeedback([], ['Left over'], '')).toBe('')
})

test('a title is text, not markup', () => {
  expect(composeFeedback([{ title: '@[Ada](user:1) *C* <b> & `x`' }], ['Hm.'], '')).toBe(
    String.raw`**@\[Ada\](user:1) \*C\* \<b\> \& \`x\`**` + '\n\nHm.',
  )
})
