import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { StaticRouterProvider, createStaticHandler, createStaticRouter, type RouteObject } from 'react-router'
import { SettingContext, type Setting } from '@/lib/site'
import { drawFilled as drawPage, firstHTML, type Filled } from './first-html'
import { loadPage } from './load-page'
import { routes } from './routes'

export { manifest } from './manifest'

/** Draws the templates of all pages. Runs at build, in Node. */
export function draw() {
  return firstHTML(renderer)
}

/** One page with its data, for the comparison with what the server sends. */
export function drawFilled(filled: Filled) {
  return drawPage(renderer, filled)
}

/** Loads one page's code and returns a function that renders it with the session and cache of that moment. */
async function renderer(path: string, setting: Setting): Promise<() => string> {
  await loadPage(routes, path)
  const handler = createStaticHandler(withoutLoaders(routes))
  const context = await handler.query(new Request(`http://app.invalid${path}`))
  if (context instanceof Response || context.errors) throw new Error(`${path} cannot be drawn`)
  const page = (
    <StrictMode>
      <SettingContext value={setting}>
        <StaticRouterProvider
          router={createStaticRouter(handler.dataRoutes, context)}
          context={context}
          hydrate={false}
        />
      </SettingContext>
    </StrictMode>
  )
  // The pictures follow in the HTML; preloaded here, they would delay the fonts.
  return () => renderToString(page).replaceAll(/<link rel="preload" as="image"[^>]*>/g, '')
}

/** At build there is no API to ask. */
function withoutLoaders(some: RouteObject[]): RouteObject[] {
  return some.map((route) => {
    const { loader: _, children, ...rest } = route
    return (children ? { ...rest, children: withoutLoaders(children) } : rest) as RouteObject
  })
}
