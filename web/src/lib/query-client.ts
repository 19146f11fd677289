import { MutationCache, QueryClient, onlineManager } from '@tanstack/react-query'
import { derivedKeys, invalidate } from './query'
import { userEmail, onSessionChange } from './session'

const keptMs = 30 * 60_000

/**
 * The API's answers, in every page that shows any. Key: what features/<noun>/queries.ts says, which is all that
 * the call depends on. Audience: whoever is signed in in this browser; emptied when that becomes another person,
 * or nobody. Bound: what nobody has looked at for half an hour goes.
 */
export const queryClient = new QueryClient({
  // A refusal, too, tells that something is otherwise than it seemed.
  mutationCache: new MutationCache({
    onSettled: () => invalidate(queryClient, ...derivedKeys(queryClient)),
  }),
  defaultOptions: {
    queries: {
      // In Node, where pages are prerendered, a timer would keep the process from ending.
      gcTime: typeof window === 'undefined' ? Infinity : keptMs,
      // A read that got lost is repeated by api/client.ts; anything else is shown, with a Retry.
      retry: false,
      // Being offline is a failure like any other, and is mended when the network is back.
      networkMode: 'always',
      refetchOnReconnect: 'always',
      // Live events say what has changed.
      refetchOnWindowFocus: false,
    },
    mutations: { networkMode: 'always' },
  },
})

onlineManager.setOnline(typeof window === 'undefined' || navigator.onLine)

let audience = userEmail()
function emptyForAnother() {
  if (userEmail() === audience) return
  audience = userEmail()
  queryClient.clear()
}
// At build, first-html.tsx empties it for each page.
if (!import.meta.env.SSR) onSessionChange(emptyForAnother)
