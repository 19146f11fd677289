import '@/styles/index.css'
import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { renewSession } from '@/api/client'
import { readBoot } from '@/lib/boot'
import { firstAnswer, keepDrawn } from '@/lib/cache'
import { drawnOn } from '@/lib/drawn-day'
import { takeEarlyClick } from '@/lib/early-click'
import { setPreloader } from '@/lib/preload'
import { followOtherTabs, startSession } from '@/lib/session'
import { SettingContext } from '@/lib/site'
import { followTheme } from '@/lib/theme'
import { answeredLoaders, loadPage, warmPage } from './load-page'
import { routes } from './routes'
import { seedFirstPage } from './seed-first-page'

const boot = readBoot()
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

/** Asks who is signed in; with no answer, nobody is. */
const learnSession = () => renewSession().catch(() => startSession(null))

if (boot.session === undefined) void learnSession()
else startSession(boot.session)
followOtherTabs(() => void learnSession())
followTheme()
seedFirstPage(boot, window.location)
keepDrawn()
drawnOn(boot.today ?? '')
setPreloader((path) => warmPage(routes, path))

const { pathname, search } = window.location
// Its data need not wait for its code.
warmPage(routes, pathname + search)
await loadPage(routes, pathname)
const drawn = 'prerendered' in root.dataset
const router = createBrowserRouter(routes, drawn ? { hydrationData: answeredLoaders(routes, pathname) } : {})
const signIn = {
  providers: boot.providers ?? [],
  passkeys: boot.passkeys ?? false,
  publicOrigin: boot.publicURL ? new URL(boot.publicURL).origin : null,
}
const app = (
  <StrictMode>
    <SettingContext value={{ brand: boot.brand, site: boot.site, demo: boot.demo ?? null, signIn }}>
      <RouterProvider router={router} />
    </SettingContext>
  </StrictMode>
)
// Meeting what is drawn already may be interrupted by the reader; a page that is not there yet may not.
const pressed = takeEarlyClick()
if (drawn) startTransition(() => void hydrateRoot(root, app))
else createRoot(root).render(app)
pressed?.click()

/** When the browser has nothing better to do. Without it, answers are as old as they were fetched. */
function listenWhenIdle() {
  const listen = () => {
    void import('./entry-live').then((live) => live.listen(boot.live ?? '')).catch(() => undefined)
  }
  // Safari has no idle callbacks.
  if ('requestIdleCallback' in window) window.requestIdleCallback(listen, { timeout: 3_000 })
  else setTimeout(listen, 1_000)
}

function listenOnceLoaded() {
  if (document.readyState === 'complete') listenWhenIdle()
  else window.addEventListener('load', listenWhenIdle, { once: true })
}
// Pages that show nothing of the server's, as the home page, need no connection that stays open.
void firstAnswer.then(listenOnceLoaded)
