import { Outlet, ScrollRestoration } from 'react-router'
import { useDialogHistory } from '@/components/ui'
import { useCurrentPage } from './current-page'
import { useFocusOnNavigation } from './layouts/use-focus-on-navigation'
import type { Page } from './pages'
import { useTitle } from './title'

/** What every page has around it. */
export function Root() {
  const page = useCurrentPage()
  useFocusOnNavigation()
  useDialogHistory()
  return (
    <>
      {page && !page.hasData && <Title page={page} />}
      <Outlet />
      <ScrollRestoration />
    </>
  )
}

/** Of a page that shows nothing of the server's; the others title themselves. */
function Title({ page }: { page: Page }) {
  useTitle(page.title)
  return null
}
