import type { RouteObject } from 'react-router'
import type { Boot } from '@/lib/boot'
import { loadQueryClient } from '@/lib/load-query-client'
import { visitTo } from './prefetch'

/** Puts the first HTML's data into the cache, so that the page renders without fetching. */
export async function primeFirstPage(routes: RouteObject[], path: string, boot: Boot): Promise<void> {
  const { page, visit } = visitTo(routes, path) ?? {}
  if (!page?.hasData || !visit) return
  const { queriesOf } = await import('./page-queries')
  const queries = queriesOf(page.name, visit)
  if (queries.length === 0) return
  const client = await loadQueryClient()
  for (const query of queries) {
    const answer = query.boot && boot.data?.[query.boot]
    if (answer !== undefined) query.prime(client, answer)
    else if (boot.notFound && query === queries[0]) query.prime(client, null)
  }
}
