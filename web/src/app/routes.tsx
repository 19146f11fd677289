import { redirect, type LoaderFunctionArgs, type RouteObject } from 'react-router'
import { FullScreenSpinner } from '@/components/ui'
import { listQueryOf, preloadAssignment, preloadList } from '@/features/assignments/api'
import { preloadMine, preloadPending } from '@/features/submissions/api'
import { pageOf } from '@/lib/page-of'
import { getSession } from '@/lib/session'
import { Failed } from '@/routes/failed'
import { NotFound } from '@/routes/not-found'
import { UsersOnly, VisitorsOnly } from './guards'
import { AuthLayout } from './layouts/auth-layout'
import { MainLayout } from './layouts/main-layout'
import { Root } from './root'

/** A page whose code is fetched when it is first wanted. */
type Page = () => Promise<{ Component: NonNullable<RouteObject['Component']> }>
const page = (load: Page) => ({ lazy: { Component: async () => (await load()).Component } })

/**
 * Loaders start a page's calls while its code is still on the way, and do not wait: pages show what is known
 * and say what is missing.
 */
const start = (call: (args: LoaderFunctionArgs) => unknown) => (args: LoaderFunctionArgs) => {
  void call(args)
  return null
}
const paramsOf = ({ request }: LoaderFunctionArgs) => new URL(request.url).searchParams

function userEmail(): string | null {
  const session = getSession()
  return session.status === 'in' ? session.user.email : null
}

const loadList = start((args) => preloadList(listQueryOf(paramsOf(args))))
const loadOne = start(({ params }) => preloadAssignment(params.id ?? ''))
const loadPending = start((args) => userEmail() && preloadPending(pageOf(paramsOf(args))))
const loadMine = start((args) => {
  const email = userEmail()
  return email && preloadMine(email, pageOf(paramsOf(args)))
})

/** Addresses are told apart by case, as the server does. */
function exact(some: RouteObject[]): RouteObject[] {
  return some.map((route) =>
    route.children ? { ...route, children: exact(route.children) } : { ...route, caseSensitive: true },
  )
}

/** Routes with a loader have an id, by which a page that is drawn already says that it need not wait for it. */
export const routes: RouteObject[] = exact([
  {
    Component: Root,
    ErrorBoundary: Failed,
    HydrateFallback: FullScreenSpinner,
    children: [
      {
        Component: MainLayout,
        children: [
          { index: true, ...page(() => import('@/routes/home')) },
          {
            id: 'list',
            path: 'assignments',
            loader: loadList,
            ...page(() => import('@/routes/assignments')),
          },
          { path: 'about-Us', ...page(() => import('@/routes/about')) },
          { path: 'about-us', loader: () => redirect('/about-Us') },
          {
            id: 'assignment',
            path: 'assignment/:id',
            loader: loadOne,
            ...page(() => import('@/routes/assignment')),
          },
          { path: 'attempted-assignments', loader: () => redirect('/attemded-assignments') },
          {
            Component: UsersOnly,
            children: [
              {
                id: 'update',
                path: 'assignment/update/:id',
                loader: loadOne,
                ...page(() => import('@/routes/update-assignment')),
              },
              { path: 'create-assignment', ...page(() => import('@/routes/create-assignment')) },
              // The specification's spelling.
              {
                id: 'mine',
                path: 'attemded-assignments',
                loader: loadMine,
                ...page(() => import('@/routes/my-submissions')),
              },
              {
                id: 'pending',
                path: 'pending-assignments',
                loader: loadPending,
                ...page(() => import('@/routes/pending-assignments')),
              },
              { path: 'profile', ...page(() => import('@/routes/profile')) },
            ],
          },
          ...(import.meta.env.DEV ? [{ path: 'components', ...page(() => import('./dev/gallery')) }] : []),
          { path: '*', Component: NotFound },
        ],
      },
      {
        Component: AuthLayout,
        children: [
          {
            Component: VisitorsOnly,
            children: [
              { path: 'auth/login', ...page(() => import('@/routes/login')) },
              { path: 'auth/register', ...page(() => import('@/routes/register')) },
            ],
          },
          { path: 'auth/forgot', ...page(() => import('@/routes/forgot')) },
          { path: 'auth/reset', ...page(() => import('@/routes/reset')) },
          { path: 'auth/verify', ...page(() => import('@/routes/verify')) },
        ],
      },
    ],
  },
])
