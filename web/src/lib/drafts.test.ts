import { expect, test, vi } from 'vitest'
import { dropDraft, followDraft, hasUsersDraft, leaveDraft, readDraft, writeDraft } from './drafts'
import { signedOut, startSession } from './session'

const person = (email: string) => ({ email, displayName: email, photoURL: '', accessToken: 'a' })

test('a draft is found by who typed it, also after their session ran out', () => {
  startSession(person('ada@example.org'))
  writeDraft('create', { title: 'Mine' })
  startSession(null)
  expect(readDraft('create')).toBeNull()
  expect(hasUsersDraft()).toBe(true)
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
  writeDraft('documents here', {}, '', true)
  signedOut()
  expect(sessionStorage).toHaveLength(0)
  expect(localStorage).toHaveLength(0)
})

test('a draft over another version is not used, and not overwritten', () => {
  startSession(person('ada@example.org'))
  writeDraft('change', { note: 'Second' }, 'First')
  expect(readDraft('change', 'First')).toEqual({ note: 'Second' })
  expect(readDraft('change', 'Elsewhere')).toBeNull()
  writeDraft('change', { note: 'Third' }, 'Elsewhere')
  expect(readDraft('change', 'First')).toEqual({ note: 'Second' })
  // ls1intum/Artemis#11701: what was written about one submission stood under the next.
  writeDraft('change 2', { note: 'Of another' }, 'First')
  dropDraft('change')
  expect(readDraft('change', 'First')).toBeNull()
  expect(readDraft('change', 'Elsewhere')).toBeNull()
  expect(readDraft('change 2', 'First')).toEqual({ note: 'Of another' })
})

// pupilfirst/pupilfirst#1120, doubtfire-lms/doubtfire-web#947: the tab is closed, and the text is gone.
test('a user’s draft outlives the tab, a visitor’s does not', () => {
  writeDraft('register', { name: 'Ada' })
  expect(localStorage).toHaveLength(0)
  startSession(person('ada@example.org'))
  writeDraft('create', { title: 'Mine' })
  sessionStorage.clear()
  expect(readDraft('create')).toEqual({ title: 'Mine' })
  expect(Object.keys(localStorage).join()).not.toContain('ada')
})

test('what a release before this one kept in the tab is taken over', () => {
  sessionStorage.setItem(
    'draft:ada@example.org create',
    JSON.stringify({ over: 'x', values: { title: 'Mine' } }),
  )
  sessionStorage.setItem(
    'draft:ben@example.org create',
    JSON.stringify({ over: '', values: { title: 'His' } }),
  )
  startSession(person('ada@example.org'))
  expect(readDraft('create', 'x')).toEqual({ title: 'Mine' })
  expect(sessionStorage).toHaveLength(0)
})

test('drafts are bounded in age and number: the oldest go', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  startSession(person('ada@example.org'))
  const day = 24 * 60 * 60_000
  writeDraft('first', { n: 0 })
  for (let n = 1; n < 60; n++) {
    vi.setSystemTime(Date.now() + 1000)
    writeDraft(`another ${n}`, { n })
  }
  expect(readDraft('first')).toEqual({ n: 0 })
  writeDraft('one more', { n: 60 })
  expect(readDraft('first')).toBeNull()
  expect(readDraft('another 1')).toEqual({ n: 1 })
  vi.setSystemTime(Date.now() + 31 * day)
  expect(readDraft('one more')).toBeNull()
  startSession(person('ada@example.org'))
  expect(localStorage).toHaveLength(0)
  vi.useRealTimers()
})

const asks = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))

// CodeGra-de/CodeGra.de#1160: leaving with unsent feedback asks.
test('leaving asks only where a text would be lost', () => {
  startSession(person('ada@example.org'))
  writeDraft('create', { title: 'Mine' })
  expect(asks()).toBe(false)
  writeDraft('create', { title: 'x'.repeat(300_000) })
  expect(asks()).toBe(true)
  writeDraft('create', { title: 'Mine' })
  expect(asks()).toBe(false)
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  writeDraft('another', { title: 'Mine' })
  expect(asks()).toBe(true)
  dropDraft('another')
  expect(asks()).toBe(false)
  writeDraft('another', { title: 'Mine' })
  leaveDraft('another')
  expect(asks()).toBe(false)
  full.mockRestore()
})

test('a full store makes room by the oldest draft', () => {
  startSession(person('ada@example.org'))
  writeDraft('old', { title: 'Mine' })
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementationOnce(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  writeDraft('new', { title: 'Mine' })
  full.mockRestore()
  expect(readDraft('old')).toBeNull()
  expect(readDraft('new')).toEqual({ title: 'Mine' })
  expect(asks()).toBe(false)
})

test('another tab’s changes are heard', () => {
  startSession(person('ada@example.org'))
  const heard: unknown[] = []
  const stop = followDraft('create', '', (values, before) => heard.push([values, before]))
  writeDraft('create', { title: 'One' })
  const [key = ''] = Object.keys(localStorage)
  const one = localStorage.getItem(key)
  expect(heard).toEqual([])
  window.dispatchEvent(new StorageEvent('storage', { key, newValue: one }))
  window.dispatchEvent(new StorageEvent('storage', { key, newValue: null, oldValue: one }))
  window.dispatchEvent(new StorageEvent('storage', { key: `${key}2`, newValue: one }))
  stop()
  window.dispatchEvent(new StorageEvent('storage', { key, newValue: one }))
  expect(heard).toEqual([
    [{ title: 'One' }, null],
    [null, { title: 'One' }],
  ])
})
