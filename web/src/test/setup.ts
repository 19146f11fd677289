import '@/styles/index.css'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { cleanup } from 'vitest-browser-react'
import { clearToasts } from '@/components/ui/toast'
import { activateTexts } from '@/lib/activate-texts'
import { leaveKeysToInputMethods } from '@/lib/composing'
import { keepNumbersFromTheWheel } from '@/lib/number-wheel'
import { queryClient } from '@/lib/query-client'
import { startSession } from '@/lib/session'
import { allowTranslation } from '@/lib/translated'

// As the app's entry does.
activateTexts('en', {})
leaveKeysToInputMethods()
keepNumbersFromTheWheel()
allowTranslation()

// React and its libraries report faults in the console: a test in which they do fails.
const printed = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn')]
beforeEach(() => printed.forEach((method) => method.mockClear()))

// Tests share a browser page: each starts as a visitor with an empty cache and no drafts.
afterEach(async () => {
  await cleanup()
  clearToasts()
  startSession(null)
  queryClient.clear()
  // No user's address stays behind in the browser.
  for (const [key, value] of Object.entries<string>(localStorage)) {
    expect(key).not.toContain('@')
    // What the user typed is theirs.
    if (!key.startsWith('draft:')) expect(value).not.toContain('@')
  }
  sessionStorage.clear()
  localStorage.clear()
  expect(printed.flatMap(({ mock }) => mock.calls)).toEqual([])
})
