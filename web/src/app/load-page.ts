import { matchRoutes, type RouteObject } from 'react-router'

interface LazyPage {
  Component: () => Promise<RouteObject['Component']>
}

/** A route's code that is still to be fetched; the router removes the function afterwards. */
function lazyOf({ lazy }: RouteObject): LazyPage | null {
  return typeof lazy === 'object' && lazy.Component ? (lazy as LazyPage) : null
}

/**
 * Fetches the code of the page at `path` and puts it into the routes, so that the router can render it at
 * once: the first render has the elements of the HTML that came.
 */
export async function loadPage(routes: RouteObject[], path: string): Promise<void> {
  const matches = matchRoutes(routes, path) ?? []
  await Promise.all(
    matches.map(async ({ route }) => {
      const lazy = lazyOf(route)
      if (!lazy) return
      const Component = await lazy.Component()
      Object.assign(route, { Component, lazy: undefined })
    }),
  )
}

/** The loaders' answers at `path`, null each, with which the router renders at once. */
export function answeredLoaders(routes: RouteObject[], path: string): { loaderData: Record<string, null> } {
  const ids = (matchRoutes(routes, path) ?? []).flatMap(({ route }) => (route.loader && route.id) || [])
  return { loaderData: Object.fromEntries(ids.map((id) => [id, null])) }
}
