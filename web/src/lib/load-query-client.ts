import type { QueryClient } from '@tanstack/react-query'

let onFirst: () => void = () => undefined

/** Resolves once the app begins to keep answers of the API: before, nothing can be stale. */
export const firstAnswer = new Promise<void>((resolve) => (onFirst = resolve))

/** The cache of the API's answers, which pages without any do not load. */
export async function loadQueryClient(): Promise<QueryClient> {
  const { queryClient } = await import('./query-client')
  onFirst()
  return queryClient
}
