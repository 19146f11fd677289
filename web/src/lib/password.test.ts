import { expect, test } from 'vitest'
import { passwordFaults } from './password'

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
