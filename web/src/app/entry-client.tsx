import '@/styles/index.css'
import { StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { renewSession } from '@/api/client'
import { readBoot } from '@/lib/boot'
import { setPreloader } from '@/lib/preload'
import { followOtherTabs, startSession } from '@/lib/session'
import { SettingContext } from '@/lib/site'
import { followTheme } from '@/lib/theme'
import { loadPage, warmPage } from './load-page'
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
setPreloader((path) => warmPage(routes, path))

await loadPage(routes, window.location.pathname)
const app = (
  <StrictMode>
    <SettingContext value={{ brand: boot.brand, site: boot.site, demo: boot.demo ?? null }}>
      <RouterProvider router={createBrowserRouter(routes)} />
    </SettingContext>
  </StrictMode>
)
// Prerendered pages are what a visitor sees; for a user they are drawn anew.
if ('prerendered' in root.dataset && !boot.session) hydrateRoot(root, app)
else createRoot(root).render(app)
