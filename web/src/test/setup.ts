import '@/styles/index.css'
import { afterEach } from 'vitest'
import { cleanup } from 'vitest-browser-react'
import { clearCache } from '@/lib/cache'
import { startSession } from '@/lib/session'

// Tests share a browser page: each starts with nobody signed in, nothing known and nothing typed.
afterEach(async () => {
  await cleanup()
  startSession(null)
  clearCache()
  sessionStorage.clear()
  localStorage.clear()
})
