import { expect, test } from 'vitest'
import { Problem } from '@/lib/problem'
import { loginFailure } from './messages'

test('a failed sign-in shows its code and a plain sentence', () => {
  const refused = new Problem('no', { status: 401, code: 'auth/invalid-credential' })
  expect(loginFailure(refused)).toEqual({
    code: 'auth/invalid-credential',
    sentence: 'The e-mail or the password is not right.',
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
