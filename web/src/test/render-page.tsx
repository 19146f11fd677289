import { createMemoryRouter, type RouteObject } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { page } from 'vitest/browser'
import { cleanup } from 'vitest-browser-react'
import { routes } from '@/app/routes'
import type { SessionUser } from '@/lib/boot'
import { startSession } from '@/lib/session'
import { SettingContext, type Access } from '@/lib/site'
import site from '../../../internal/site/default.json'
import { render } from './render'

/** A router removes `lazy` from its routes after loading; the next test needs it again. */
function copyOf(some: RouteObject[]): RouteObject[] {
  return some.map((route) => {
    const lazy = typeof route.lazy === 'object' ? { ...route.lazy } : undefined
    const copy = { ...route, ...(lazy && { lazy }) }
    return copy.children ? { ...copy, children: copyOf(copy.children) } : copy
  })
}

/**
 * Renders the page at `path` in the whole app at desktop width; its calls are answered by the test's handlers. Replaces
 * the previous page and keeps the cache. `access`: what the operator allows, if not everything. Returns a function that reads the address bar.
 */
export async function renderPage(
  path: string,
  user: SessionUser | null = null,
  access: Partial<Access> = {},
): Promise<() => string> {
  await cleanup()
  await page.viewport(1280, 800)
  startSession(user)
  const router = createMemoryRouter(copyOf(routes), { initialEntries: [path] })
  await render(
    <SettingContext
      value={{ brand: 'StudyCircle', site, access: { registration: 'open', hall: 'on', ...access } }}
    >
      <RouterProvider router={router} />
    </SettingContext>,
  )
  return () => router.state.location.pathname + router.state.location.search
}
