import '@/styles/index.css'
import { toast } from 'react-toastify/unstyled'
import { afterEach } from 'vitest'
import { cleanup } from 'vitest-browser-react'
import { queryClient } from '@/lib/query-client'
import { startSession } from '@/lib/session'

// Tests share a browser page: each starts as a visitor with an empty cache and no drafts.
afterEach(async () => {
  await cleanup()
  toast.dismiss() // one under the pointer stays
  startSession(null)
  queryClient.clear()
  sessionStorage.clear()
  localStorage.clear()
})
