import { expect, test } from 'vitest'
import { isLastSignInMethod } from './last-sign-in-method'

const configured = [{ id: 'google' }, { id: 'campus' }]
const google = { id: 'google' }
const campus = { id: 'campus' }
const gone = { id: 'gone' }
const [key, spare] = [{ _id: 'key' }, { _id: 'spare' }]

test.each([
  ['a provider beside a password', { password: true, providers: [google], passkeys: [] }, 'google', false],
  ['the only provider', { password: false, providers: [google], passkeys: [] }, 'google', true],
  ['one of two providers', { password: false, providers: [google, campus], passkeys: [] }, 'google', false],
  [
    'a provider beside one that is set up no more',
    { password: false, providers: [google, gone], passkeys: [] },
    'google',
    true,
  ],
  ['a provider beside a passkey', { password: false, providers: [google], passkeys: [key] }, 'google', false],
])('unlinking %s', (_, methods, provider, last) => {
  expect(isLastSignInMethod(methods, configured, { provider })).toBe(last)
})

test.each([
  ['beside a password', { password: true, providers: [], passkeys: [key] }, false],
  ['alone', { password: false, providers: [], passkeys: [key] }, true],
  ['beside another', { password: false, providers: [], passkeys: [key, spare] }, false],
  ['beside a provider', { password: false, providers: [campus], passkeys: [key] }, false],
  ['beside a provider that is set up no more', { password: false, providers: [gone], passkeys: [key] }, true],
])('removing a passkey %s', (_, methods, last) => {
  expect(isLastSignInMethod(methods, configured, { passkey: 'key' })).toBe(last)
})
