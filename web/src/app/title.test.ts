import { expect, test } from 'vitest'
import { titleOf } from './title'

test.each([
  ['home', 'home'],
  ['Login | {brand}', 'Login | Night School'],
  ['{assignment.title} | Assignment Details', 'Ada {brand} | b | Assignment Details'],
  ['{assignment.level} | Assignment Details', 'Assignment Details'],
  ['{pending.title} | Pending', 'Pending'],
])('%s', (template, title) => {
  const assignment = { title: '\u202eAda {brand} | b', marks: 7 }
  expect(titleOf(template, { brand: 'Night School', assignment })).toBe(title)
})
