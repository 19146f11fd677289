import { i18n, type Messages } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { StrictMode } from 'react'
import { prerender } from 'react-dom/static'
import { StaticRouterProvider, createStaticHandler, createStaticRouter, type RouteObject } from 'react-router'
import type { SessionUser } from '@/lib/boot'
import { startSession } from '@/lib/session'
import { activateTexts } from '@/lib/activate-texts'
import { SettingContext, type Setting } from '@/lib/site'
import { loadPage } from './load-page'
import { pages, type Page } from './pages'
import { textsPartOf, type TextsPart } from '@/lib/page-texts'
import { routes } from './routes'

export { manifest } from './manifest'

/** A page as drawn at build. */
interface DrawnPage {
  /** `visitor.home` */
  name: string
  html: string
  /** A page with data, or of a user: the app replaces it. It takes over other pages as they are. */
  isFrame: boolean
  /** The file with its texts. */
  texts: TextsPart
  /** The page's source files, from which the build finds its scripts. */
  sources: string[]
}

const empty = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='
/** Any user: a frame shows a blank photo. */
const someone: SessionUser = { email: '', displayName: '\u00a0', photoURL: empty, accessToken: '' }

/** Draws every page, for visitors and for users, without data, in one language. Runs at build, in Node. */
export async function draw(
  setting: Pick<Setting, 'brand' | 'site'>,
  messages: Messages,
): Promise<DrawnPage[]> {
  activateTexts('en', messages)
  const all: DrawnPage[] = []
  for (const page of pages) {
    const texts = textsPartOf(page.name)
    const sources = [`src/routes/${page.name}.tsx`, ...(page.hasData ? ['src/app/data-page.tsx'] : [])]
    for (const [audience, user] of [
      ['visitor', null],
      ['user', someone],
    ] as const) {
      if (page.audience === (user ? 'visitors' : 'users')) continue
      startSession(user)
      const html = await drawn(addressOf(page), setting)
      all.push({
        name: `${audience}.${page.name}`,
        html,
        isFrame: user !== null || !!page.hasData,
        texts,
        sources,
      })
    }
  }
  return all
}

const addressOf = ({ path }: Page) => (path === '*' ? '/nowhere' : path.replace(':id', 'none'))

async function drawn(path: string, setting: Setting): Promise<string> {
  await loadPage(routes, path)
  const handler = createStaticHandler(withoutLoaders(routes))
  const context = await handler.query(new Request(`http://app.invalid${path}`))
  if (context instanceof Response || context.errors) throw new Error(`${path} cannot be drawn`)
  const { prelude } = await prerender(
    <StrictMode>
      <I18nProvider i18n={i18n}>
        <SettingContext value={setting}>
          <StaticRouterProvider
            router={createStaticRouter(handler.dataRoutes, context)}
            context={context}
            hydrate={false}
          />
        </SettingContext>
      </I18nProvider>
    </StrictMode>,
    // In one piece: React would move large parts to the end, for a script to put in place.
    { progressiveChunkSize: Infinity },
  )
  // The pictures follow in the HTML; preloaded here, they would delay the fonts.
  return (await new Response(prelude).text()).replaceAll(/<link rel="preload" as="image"[^>]*>/g, '')
}

/** At build there is no API to ask. */
function withoutLoaders(some: RouteObject[]): RouteObject[] {
  return some.map((route) => {
    const { loader: _, children, ...rest } = route
    return (children ? { ...rest, children: withoutLoaders(children) } : rest) as RouteObject
  })
}
