import { matchRoutes, type LoaderFunctionArgs, type RouteObject } from 'react-router'

interface LazyPage {
  Component: () => Promise<RouteObject['Component']>
}

/** What is still to be fetched of a route; the router takes the function away once it has. */
function lazyOf({ lazy }: RouteObject): LazyPage | null {
  return typeof lazy === 'object' && lazy.Component ? (lazy as LazyPage) : null
}

/**
 * Fetches the code of the page at `path` and puts it into the routes, so that the router can render it at
 * once: prerendered HTML must be met by the same elements on the first render.
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

/** What the router takes as the answers of the loaders at `path`, so that it renders at once. They answer null. */
export function answeredLoaders(routes: RouteObject[], path: string): { loaderData: Record<string, null> } {
  const ids = (matchRoutes(routes, path) ?? []).flatMap(({ route }) => (route.loader && route.id) || [])
  return { loaderData: Object.fromEntries(ids.map((id) => [id, null])) }
}

/** Starts fetching what the page at `path` will need: its code and its data. */
export function warmPage(routes: RouteObject[], path: string): void {
  const url = new URL(path, window.location.origin)
  for (const { route, params } of matchRoutes(routes, url.pathname) ?? []) {
    void lazyOf(route)
      ?.Component()
      .catch(() => undefined)
    if (typeof route.loader === 'function') {
      void route.loader({ params, request: new Request(url) } as LoaderFunctionArgs)
    }
  }
}
