import { expect, test } from 'vitest'
import { PasskeyFailure } from '@/lib/passkey-support'
import { Problem } from '@/lib/problem'
import { joinFailure, loginFailure, passkeyFailure } from './messages'

test('a failed sign-in shows its code and a plain sentence', () => {
  const refused = new Problem('no', { status: 401, code: 'auth/invalid-credential' })
  expect(loginFailure(refused)).toEqual({
    code: 'auth/invalid-credential',
    sentence: 'Incorrect email or password.',
  })
  const limited = new Problem('Try again in 10 minutes.', {
    status: 429,
    code: 'rate-limited',
    retryAfter: 600,
  })
  expect(loginFailure(limited).sentence).toBe('Try again in 10 minutes.')
  const proxy = new Problem('Too many attempts', { status: 429, code: 'unknown', retryAfter: 600 })
  expect(loginFailure(proxy).sentence).toBe('Too many attempts. Try again in 10 minutes.')
})

test('a passkey’s failure is shown with the server’s code or in the browser’s words', () => {
  const refused = new Problem('no', { status: 401, code: 'auth/invalid-credential' })
  expect(passkeyFailure(refused)).toMatchObject({
    code: 'auth/invalid-credential',
    sentence: expect.stringContaining('does not belong to an account') as string,
  })
  const limited = new Problem('Try again in 10 minutes.', { status: 429, code: 'rate-limited' })
  expect(passkeyFailure(limited)).toEqual({ code: 'rate-limited', sentence: 'Try again in 10 minutes.' })
  expect(passkeyFailure(new PasskeyFailure('Cancelled.'))).toEqual({ sentence: 'Cancelled.' })
})

test('an answer that came too late says what to do', () => {
  const late = new Problem('no', { status: 422, code: 'auth/invalid-action-code' })
  expect(joinFailure(late)).toEqual({
    code: 'auth/invalid-action-code',
    sentence: 'This took too long. Close this dialog and sign in again.',
  })
})
