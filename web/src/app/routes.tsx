import type { ComponentType } from 'react'
import { redirect, type LoaderFunctionArgs, type RouteObject } from 'react-router'
import { FullScreenSpinner } from '@/components/ui'
import { loadCode } from '@/lib/load-code'
import { userEmail } from '@/lib/session'
import { withTexts } from '@/lib/texts'
import { AppFailed, PageFailed } from '@/routes/failed'
import { InHall, UsersOnly, VisitorsOnly } from './guards'
import { AuthLayout } from './layouts/auth-layout'
import { MainLayout } from './layouts/main-layout'
import { pages, redirects, type Audience, type LayoutName, type Page } from './pages'
import { prefetchQueries } from './prefetch'
import { textsPartOf } from '@/lib/page-texts'
import { Root } from './root'

const layouts: Record<LayoutName, ComponentType> = { main: MainLayout, auth: AuthLayout }
const guards: Record<Audience, ComponentType | null> = {
  all: null,
  users: UsersOnly,
  visitors: VisitorsOnly,
}

/** Fetched when it is first wanted. */
const lazily = (load: Page['load']) => ({
  lazy: { Component: async () => (await loadCode(load)).Component },
})

/** A page with data has an id, by which the first page says that it need not wait for its loader. */
function routeOf(page: Page): RouteObject {
  const { name, path, hasData, load } = page
  return {
    path,
    caseSensitive: true,
    handle: page,
    ...lazily(withTexts(load, textsPartOf(name))),
    ...(hasData && { id: name, loader: loaderOf(page) }),
  }
}

/**
 * Starts a page's calls while its code is loading and does not wait for them: pages have loading states.
 */
const loaderOf =
  (page: Page) =>
  ({ params, request }: LoaderFunctionArgs) => {
    const visit = { params, search: new URL(request.url).searchParams, email: userEmail() ?? '' }
    void prefetchQueries(page, visit)
    return null
  }

/** Pages that show or change something of the server's have its cache around them. */
function withData(some: readonly Page[]): RouteObject[] {
  const withCache = some.filter(({ hasData }) => hasData).map(routeOf)
  const others = some.filter(({ hasData }) => !hasData).map(routeOf)
  if (withCache.length === 0) return others
  return [{ ...lazily(() => import('./data-page')), children: withCache }, ...others]
}

/** Pages that are others where the hall is off have a guard of their own. */
function withHall(some: readonly Page[]): RouteObject[] {
  const always = withData(some.filter(({ withoutHall }) => !withoutHall))
  const ofHall = withData(some.filter(({ withoutHall }) => withoutHall))
  return ofHall.length > 0 ? [{ Component: InHall, children: ofHall }, ...always] : always
}

function audiencesOf(some: readonly Page[]): RouteObject[] {
  return Object.entries(guards).flatMap(([audience, Guard]) => {
    const children = withHall(some.filter((page) => page.audience === audience))
    return Guard && children.length > 0 ? [{ Component: Guard, children }] : children
  })
}

const development: Page[] = import.meta.env.DEV
  ? [
      {
        name: 'gallery',
        path: '/components',
        title: () => 'Components',
        audience: 'all',
        layout: 'main',
        load: () => import('./dev/gallery'),
      },
    ]
  : []

export const routes: RouteObject[] = [
  {
    Component: Root,
    ErrorBoundary: AppFailed,
    HydrateFallback: FullScreenSpinner,
    children: [
      ...Object.entries(layouts).map(([layout, Component]) => ({
        Component,
        children: [
          {
            // Inside the layout and around the lazy routes, because the router does not show a lazy route's error in the route itself.
            ErrorBoundary: PageFailed,
            children: audiencesOf([...pages, ...development].filter((page) => page.layout === layout)),
          },
        ],
      })),
      ...redirects.map(({ path, redirectTo }) => ({
        path,
        caseSensitive: true,
        loader: ({ request }: LoaderFunctionArgs) => redirect(redirectTo + new URL(request.url).search),
      })),
    ],
  },
]
