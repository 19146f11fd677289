import { expect, test } from 'vitest'
import { rewritten, shownOf } from './mentions'

const sue = '@[Sue Two](user:06h1)'
const sam = '@[Sam](user:07)'

test('a mention is shown by its name', () => {
  expect(shownOf(`Ask ${sue}, ${sam}.`).text).toBe('Ask @Sue Two, @Sam.')
  expect(shownOf('@[Sue](user:) `a` @Sue').text).toBe('@[Sue](user:) `a` @Sue')
})

test.each([
  ['typed after it', `Ask ${sue}`, 'Ask @Sue Two now', `Ask ${sue} now`],
  ['typed before it', `Ask ${sue}`, 'Please ask @Sue Two', `Please ask ${sue}`],
  ['typed between two', `${sue}${sam}`, '@Sue Two and @Sam', `${sue} and ${sam}`],
  ['its name is changed', `Ask ${sue} or ${sam}`, 'Ask @Sue Tw or @Sam', `Ask @Sue Tw or ${sam}`],
  ['one of two namesakes goes', '@[Sam](user:1) @[Sam](user:2)', '@Sam', '@[Sam](user:1)'],
  ['all goes', `Ask ${sue}`, '', ''],
  ['another is chosen', `${sue} @sa`, `@Sue Two ${sam} `, `${sue} ${sam} `],
])('%s', (_, comment, now, then) => {
  expect(rewritten(comment, now)).toBe(then)
})
