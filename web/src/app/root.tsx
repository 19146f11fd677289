import { Outlet, ScrollRestoration } from 'react-router'
import { useDialogHistory } from '@/components/ui'
import { useCurrentPage } from './current-page'
import { useFocusOnNavigation } from './layouts/use-focus-on-navigation'
import type { Page } from './pages'
import { useTitle } from './title'

/** The frame of every page. */
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

/** Titles a page without data; pages with data set their own titles. */
function Title({ page }: { page: Page }) {
  useTitle(page.title())
  return null
}
