import { describe, expect, test } from 'vitest'
import { authState, safePath } from './from-path'

describe('where to go after signing in', () => {
  test.each([
    '/',
    '/assignments',
    '/assignments?page=2&level=hard',
    '/assignment/a1#top',
    '/auth/verify?token=a',
  ])('%s is a path of this app', (path) => expect(safePath(path)).toBe(path))

  test.each([
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example',
    'https:evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    '/\t/evil.example',
    '/\n/evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    'assignments',
    '',
    '/api/auth/logout',
    '/auth/login',
    '/auth/register?x=1',
    '/auth/verify/x',
    '/auth/verify/../login',
    undefined,
    null,
    7,
    { toString: () => '/assignments' },
  ])('%j is refused', (from) => expect(safePath(from)).toBe('/'))
})

test('navigation state keeps only what is known', () => {
  expect(authState({ state: { from: '/profile', resume: 'take', ended: true, other: 1 }, hash: '' })).toEqual(
    {
      from: '/profile',
      resume: 'take',
      ended: true,
    },
  )
  expect(
    authState({ state: { from: '//evil', resume: 'rm', ended: 'no', invitation: 1 }, hash: '#x' }),
  ).toEqual({ from: '/' })
  expect(authState({ state: null, hash: '' })).toEqual({ from: '/' })
  const invitation = 'a-secret-of-an-invitation'
  const from = `/join#${invitation}`
  expect(authState({ state: { from }, hash: '' })).toEqual({ from, invitation })
  expect(authState({ state: null, hash: `#${invitation}` })).toEqual({ from: '/', invitation })
  expect(authState({ state: { invitation }, hash: '' })).toEqual({ from: '/', invitation })
})
