import { expect, test } from 'vitest'
import { passwordError, passwordFaults, passwordNeeds } from './password'

const upper = 'Password must have at least one uppercase letter'
const lower = 'Password must have at least one lowercase letter'
const short = 'Password must be at least 6 characters'

test.each([
  ['Abcdef', []],
  ['Écrire', []],
  ['abcdef', [upper]],
  ['ABCDEF', [lower]],
  ['Abcd', [short]],
  ['1', [upper, lower, short]],
])('%s', (password, faults) => expect(passwordFaults(password)).toEqual(faults))

test('beside the field: what it needs, what of that it has, and what is missing', () => {
  expect(passwordNeeds('abcdef').map(({ met }) => met)).toEqual([false, true, true])
  expect(passwordError('abc')).toBe('Still missing: at least one uppercase letter, at least 6 characters.')
  expect(passwordError('Abcdef')).toBe('')
})
