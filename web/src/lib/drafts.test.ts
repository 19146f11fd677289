import { expect, test } from 'vitest'
import { readDraft, writeDraft } from './drafts'
import { signedOut, startSession } from './session'

const person = (email: string) => ({ email, displayName: email, photoURL: '', accessToken: 'a' })

test('a draft is found by who typed it, also after their session ran out', () => {
  startSession(person('ada@example.org'))
  writeDraft('create', { title: 'Mine' })
  startSession(null)
  expect(readDraft('create')).toBeNull()
  startSession(person('ada@example.org'))
  expect(readDraft('create')).toEqual({ title: 'Mine' })
})

test('another user neither finds it nor leaves it in place', () => {
  startSession(person('ada@example.org'))
  writeDraft('create', { title: 'Mine' })
  startSession(null)
  startSession(person('ben@example.org'))
  expect(readDraft('create')).toBeNull()
  startSession(person('ada@example.org'))
  expect(readDraft('create')).toBeNull()
})

test('signing out drops all drafts', () => {
  startSession(person('ada@example.org'))
  writeDraft('create', { title: 'Mine' })
  signedOut()
  expect(sessionStorage).toHaveLength(0)
})

test('a draft over another version is not used', () => {
  writeDraft('change', { note: 'Second' }, 'First')
  expect(readDraft('change', 'First')).toEqual({ note: 'Second' })
  expect(readDraft('change', 'Elsewhere')).toBeNull()
})
