import { Outlet } from 'react-router'
import { Footer } from './footer'
import { Header } from './header'
import { OfflineBanner } from './offline-banner'
import { Shortcuts } from './shortcuts'
import { SkipLink } from './skip-link'

/** Header, the page, footer, and on a phone the user's shortcuts. */
export function MainLayout() {
  return (
    <div className="flex min-h-dvh flex-col pb-(--shortcuts)">
      <SkipLink />
      <Header />
      <OfflineBanner />
      <main id="main" tabIndex={-1} className="grow outline-none">
        <Outlet />
      </main>
      <Footer />
      <Shortcuts />
    </div>
  )
}
