import { MutationCache, QueryClient, onlineManager } from '@tanstack/react-query'
import { derivedKeys, invalidate } from './query'
import { userEmail, onSessionChange } from './session'

const keptMs = 30 * 60_000

/**
 * The cache of the API's answers. A key contains everything that the call depends on (entities/<noun>/queries.ts).
 * The cache belongs to the signed-in user and is emptied when the user changes. Answers unused for half an hour are
 * dropped.
 */
export const queryClient = new QueryClient({
  // A refusal also shows that an answer is out of date.
  mutationCache: new MutationCache({
    onSettled: (_data, _error, _input, _before, { meta }) => {
      if (!meta?.aside) invalidate(queryClient, ...derivedKeys(queryClient))
    },
  }),
  defaultOptions: {
    queries: {
      // In Node, which draws pages at build, a timer would keep the process alive.
      gcTime: typeof window === 'undefined' ? Infinity : keptMs,
      // api/client.ts repeats a lost read; any other failure is shown with a Retry.
      retry: false,
      // Being offline is a failure like any other; see fetchAgain.
      networkMode: 'always',
      refetchOnReconnect: false,
      // Live events report changes.
      refetchOnWindowFocus: false,
    },
    mutations: { networkMode: 'always' },
  },
})

/** Fetches what is shown. A fetch on its way began offline, and may fail after the connection is back. */
async function fetchAgain(): Promise<void> {
  await queryClient.cancelQueries({ type: 'active' })
  await queryClient.refetchQueries({ type: 'active' })
}

onlineManager.setOnline(typeof window === 'undefined' || navigator.onLine)
onlineManager.subscribe((online) => {
  if (online) void fetchAgain()
})

let audience = userEmail()
function emptyForAnother() {
  if (userEmail() === audience) return
  audience = userEmail()
  queryClient.clear()
}
onSessionChange(emptyForAnother)
