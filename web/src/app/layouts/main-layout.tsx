import { Outlet } from 'react-router'
import { Footer } from './footer'
import { Header } from './header'
import { OfflineBanner } from './offline-banner'
import { useFocusOnNavigation } from './use-focus-on-navigation'

/** Header, the page, footer. */
export function MainLayout() {
  useFocusOnNavigation()
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:absolute focus:start-4 focus:top-2 focus:z-10 focus:rounded-control focus:bg-green focus:px-4 focus:py-2 focus:text-on-green"
      >
        Skip to content
      </a>
      <Header />
      <OfflineBanner />
      <main id="main" tabIndex={-1} className="grow outline-none">
        <Outlet />
      </main>
      <Footer />
    </div>
  )
}
