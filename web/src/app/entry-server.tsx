import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { StaticRouterProvider, createStaticHandler, createStaticRouter } from 'react-router'
import { startSession } from '@/lib/session'
import { SettingContext, type Setting } from '@/lib/site'
import { routes } from './routes'

/** Renders one page as a visitor sees it. Runs at build, in Node. */
export async function render(path: string, setting: Setting): Promise<string> {
  startSession(null)
  const handler = createStaticHandler(routes)
  const context = await handler.query(new Request(`http://app.invalid${path}`))
  if (context instanceof Response) throw new Error(`${path} leads elsewhere: ${context.status}`)
  return renderToString(
    <StrictMode>
      <SettingContext value={setting}>
        <StaticRouterProvider
          router={createStaticRouter(handler.dataRoutes, context)}
          context={context}
          hydrate={false}
        />
      </SettingContext>
    </StrictMode>,
  )
}
