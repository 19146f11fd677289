import { Outlet } from 'react-router'
import { Footer } from './footer'
import { Header } from './header'
import { OfflineBanner } from './offline-banner'
import { SkipLink } from './skip-link'

/** Header, the page, footer. */
export function MainLayout() {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <Header />
      <OfflineBanner />
      <main id="main" tabIndex={-1} className="grow outline-none">
        <Outlet />
      </main>
      <Footer />
    </div>
  )
}
