import { Outlet, ScrollRestoration } from 'react-router'
import { BoxHost } from '@/components/ui'

/** What every page has around it. */
export function Root() {
  return (
    <>
      <Outlet />
      <BoxHost />
      <ScrollRestoration />
    </>
  )
}
