import '@/styles/index.css'
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { StrictMode, startTransition, useEffect, useLayoutEffect } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { keepDialogsInHistory } from '@/components/ui'
import { activateTexts } from '@/lib/activate-texts'
import { followNavigation } from '@/lib/arrival'
import { readBoot } from '@/lib/boot'
import { leaveKeysToInputMethods } from '@/lib/composing'
import { answerEarlyClick, takeEarlyClick } from '@/lib/early-input'
import { fetchCode } from '@/lib/load-code'
import { keepNumbersFromTheWheel } from '@/lib/number-wheel'
import { setPrefetcher } from '@/lib/prefetch'
import { followOtherTabs, startSession } from '@/lib/session'
import { SettingContext } from '@/lib/site'
import { loadTexts } from '@/lib/texts'
import { followTheme } from '@/lib/theme'
import { whenIdle } from '@/lib/when-idle'
import { learnSession } from './learn-session'
import { listenForEvents } from './listen-for-events'
import { answeredLoaders, loadPage } from './load-page'
import { prefetchPage } from './prefetch'
import { primeFirstPage } from './prime-first-page'
import { routes } from './routes'

// A page has one language for its whole life.
activateTexts(document.documentElement.lang, {})
const texts = loadTexts('public')
const boot = readBoot()
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

if (boot.session === undefined) void learnSession()
else startSession(boot.session)
followOtherTabs(() => void learnSession())
followTheme()
leaveKeysToInputMethods()
keepNumbersFromTheWheel()
// Browsers begin to translate a page once it is there.
void fetchCode(() => import('@/lib/translated')).then(
  ({ allowTranslation }) => allowTranslation(),
  () => null,
)
keepDialogsInHistory()
setPrefetcher((path) => prefetchPage(routes, path))

const addressNow = () => window.location.pathname + window.location.search
/** Before the script, Back may have left the address that the HTML and its data belong to. */
const drawnAddress = window.drawnAddress ?? addressNow()
/**
 * The build drew the page for a server that is open to all, at an address without a query, a hash and a state. For
 * another visit the app draws it anew.
 */
const isDrawn = () =>
  'prerendered' in root.dataset &&
  boot.access.registration === 'open' &&
  boot.access.hall === 'on' &&
  addressNow() === drawnAddress &&
  window.location.search + window.location.hash === '' &&
  !(window.history.state as { usr?: unknown } | null)?.usr
const primed = primeFirstPage(routes, drawnAddress, boot)
// The data need not wait for the page's code.
const prefetchFirst = () => prefetchPage(routes, addressNow())
void primed.then(prefetchFirst, prefetchFirst)
const { pathname } = window.location
/** Without its code or data, the router draws the page as any other, or shows an error. */
const ready = await Promise.all([primed, loadPage(routes, pathname)]).then(
  () => true,
  () => false,
)
// Without them the first HTML stays as it is.
await texts
const hydrates = ready && isDrawn()
const router = createBrowserRouter(
  routes,
  ready && addressNow() === drawnAddress ? { hydrationData: answeredLoaders(routes, pathname) } : {},
)
followNavigation(router)
const signIn = {
  providers: boot.providers ?? [],
  passkeys: boot.passkeys ?? false,
  publicOrigin: boot.publicURL ? new URL(boot.publicURL).origin : null,
}
/** React hears of presses in HTML that it hydrates from the start. */
let pressed = hydrates ? takeEarlyClick() : null

/** Starts what needs the page in the document. */
const WhenDrawn = () => {
  useLayoutEffect(() => {
    pressed ??= takeEarlyClick()
    for (const fact of Object.keys(root.dataset)) delete root.dataset[fact]
  }, [])
  useEffect(() => {
    if (pressed) answerEarlyClick(pressed)
    listenForEvents(boot.live ?? '')
    // What is sent soon waits for it no longer.
    whenIdle(() => void import('@/api/request-ids').catch(() => null), 5_000)
  }, [])
  return null
}

const app = (
  <StrictMode>
    <I18nProvider i18n={i18n}>
      <SettingContext
        value={{
          brand: boot.brand,
          site: boot.site,
          access: boot.access,
          documentation: boot.documentation,
          demo: boot.demo ?? null,
          signIn,
        }}
      >
        <RouterProvider router={router} />
        <WhenDrawn />
      </SettingContext>
    </I18nProvider>
  </StrictMode>
)
// In slices: the reader's keys and presses come between them.
startTransition(() => {
  if (hydrates) hydrateRoot(root, app)
  else createRoot(root).render(app)
})
