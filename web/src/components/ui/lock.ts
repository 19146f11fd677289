import { createContext } from 'react'

/** Whether the form around was sent and the next page is on its way. */
export const LockContext = createContext(false)
