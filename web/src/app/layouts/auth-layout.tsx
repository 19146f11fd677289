import { Outlet } from 'react-router'
import { Footer } from './footer'
import { Header } from './header'
import { OfflineBanner } from './offline-banner'
import { SkipLink } from './skip-link'

/** The auth pages: a sheet in the middle. */
export function AuthLayout() {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <Header />
      <OfflineBanner />
      {/* On a phone the footer starts below the screen: what a form still gets once the script runs moves nothing. */}
      <main
        id="main"
        tabIndex={-1}
        className="page grid grow items-start justify-items-center outline-none max-lg:min-h-svh"
      >
        <Outlet />
      </main>
      <Footer />
    </div>
  )
}
