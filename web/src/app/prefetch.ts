import { matchRoutes, type RouteObject } from 'react-router'
import { loadQueryClient } from '@/lib/load-query-client'
import { userEmail } from '@/lib/session'
import type { Page, Visit } from './pages'

/** Starts a page's calls for its audience. Failures are silent: the page asks again and reports them. */
export async function prefetchQueries({ name, hasData, audience }: Page, visit: Visit): Promise<void> {
  if (!hasData || (audience === 'users' && !visit.email)) return
  try {
    const { queriesOf } = await import('./page-queries')
    const wanted = queriesOf(name, visit)
    if (wanted.length === 0) return
    const client = await loadQueryClient()
    await Promise.all(wanted.map((query) => query.prefetch(client)))
  } catch {
    // The page's own code fails likewise and reports it.
  }
}

/** The page at `path` and the visit to it. */
export function visitTo(routes: RouteObject[], path: string): { page: Page; visit: Visit } | null {
  const { pathname, searchParams } = new URL(path, window.location.origin)
  const match = matchRoutes(routes, pathname)?.at(-1)
  const page = match?.route.handle as Page | undefined
  if (!match || !page) return null
  return { page, visit: { params: match.params, search: searchParams, email: userEmail() ?? '' } }
}

/** Starts fetching what the page at `path` will need: its code and its data. */
export function prefetchPage(routes: RouteObject[], path: string): void {
  const opened = visitTo(routes, path)
  if (!opened) return
  opened.page.load().catch(() => undefined)
  void prefetchQueries(opened.page, opened.visit)
}
