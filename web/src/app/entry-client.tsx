import '@/styles/index.css'
import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { keepDialogsInHistory } from '@/components/ui'
import { readBoot } from '@/lib/boot'
import { leaveKeysToInputMethods } from '@/lib/composing'
import { setPrerenderDay } from '@/lib/prerender-day'
import { holdHistory, takeEarlyChoices, takeEarlyClick } from '@/lib/early-input'
import { setPrefetcher } from '@/lib/prefetch'
import { followOtherTabs, startSession } from '@/lib/session'
import { SettingContext } from '@/lib/site'
import { followTheme } from '@/lib/theme'
import { learnSession } from './learn-session'
import { listenForEvents } from './listen-for-events'
import { answeredLoaders, loadPage } from './load-page'
import { prefetchPage } from './prefetch'
import { primeFirstPage } from './prime-first-page'
import { routes } from './routes'

const boot = readBoot()
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

if (boot.session === undefined) void learnSession()
else startSession(boot.session)
followOtherTabs(() => void learnSession())
followTheme()
leaveKeysToInputMethods()
keepDialogsInHistory()
setPrerenderDay(boot.today ?? '')
setPrefetcher((path) => prefetchPage(routes, path))

const addressNow = () => window.location.pathname + window.location.search
const drawnAddress = window.drawnAddress ?? addressNow()
/** Before the script, Back may have left the address that the HTML and its data belong to. */
const isDrawn = () => 'prerendered' in root.dataset && addressNow() === drawnAddress
const primed = primeFirstPage(routes, drawnAddress, boot)
// The data need not wait for the page's code. Hydration first shows the data in the HTML, then asks.
const prefetchFirst = () => isDrawn() || prefetchPage(routes, addressNow())
void primed.then(prefetchFirst, prefetchFirst)
const { pathname } = window.location
/** Without its code or data, the router draws the page as any other, or shows an error. */
const ready = await Promise.all([primed, loadPage(routes, pathname)]).then(
  () => true,
  () => false,
)
const hydrates = ready && isDrawn()
if (hydrates) holdHistory()
const router = createBrowserRouter(
  routes,
  hydrates ? { hydrationData: answeredLoaders(routes, pathname) } : {},
)
const signIn = {
  providers: boot.providers ?? [],
  passkeys: boot.passkeys ?? false,
  publicOrigin: boot.publicURL ? new URL(boot.publicURL).origin : null,
}
const app = (
  <StrictMode>
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
    </SettingContext>
  </StrictMode>
)
// Hydration may be interrupted by the reader; a page that is not there yet may not.
const pressed = takeEarlyClick()
const chooseAgain = takeEarlyChoices()
if (hydrates) startTransition(() => void hydrateRoot(root, app))
else createRoot(root).render(app)
pressed?.click()
chooseAgain()
listenForEvents(boot.live ?? '')
