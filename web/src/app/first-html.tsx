import type { SessionUser } from '@/lib/boot'
import { loadQueryClient } from '@/lib/load-query-client'
import { startSession } from '@/lib/session'
import type { Setting, Site } from '@/lib/site'
import { compile } from '@/lib/template/compile'
import { record, recording } from '@/lib/template/recorder'
import { queriesOf } from './page-queries'
import { pages, type Page, type Visit } from './pages'

/** A page as the server fills it in, for one audience. */
interface PageTemplate {
  /** `visitor.home` */
  name: string
  html: string
  /** The page's own source files; the build knows which scripts they need. */
  sources: string[]
}

const user = record<SessionUser>('$.user')
const setting: Setting = { brand: record<string>('$.brand'), site: record<Site>('$.site') }

/** Everything that the server sends as first HTML: each page as a visitor and as a user sees it. */
export async function firstHTML(
  render: (path: string, setting: Setting) => Promise<() => string>,
): Promise<PageTemplate[]> {
  const all: PageTemplate[] = []
  for (const page of pages) {
    if (page.audience !== 'users') all.push(await draw(page, 'visitor', null))
    if (page.audience !== 'visitors') all.push(await draw(page, 'user', user))
  }
  return all

  async function draw(page: Page, audience: string, who: SessionUser | null): Promise<PageTemplate> {
    startSession(who)
    const client = await loadQueryClient()
    client.clear()
    const visit: Visit = { params: { id: 'none' }, search: new URLSearchParams(), email: who?.email ?? '' }
    for (const { key, boot } of queriesOf(page.name, visit)) {
      if (boot) client.setQueryData(key, record<object>(`$.${boot}`))
    }
    const { drawn, expressions } = recording(await render(addressOf(page), setting))
    const sources = [`src/routes/${page.name}.tsx`, ...(page.hasData ? ['src/app/data-page.tsx'] : [])]
    return { name: `${audience}.${page.name}`, html: compile(drawn, expressions), sources }
  }
}

const addressOf = ({ path }: Page) => (path === '*' ? '/nowhere' : path.replace(':id', 'none'))
