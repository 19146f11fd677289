import { matchPath } from 'react-router'
import type { BootData, SessionUser } from '@/lib/boot'
import { loadQueryClient } from '@/lib/load-query-client'
import { startSession } from '@/lib/session'
import type { Access, Setting, Site } from '@/lib/site'
import { compile } from '@/lib/template/compile'
import { setPrerenderDay } from '@/lib/prerender-day'
import { record, recording } from '@/lib/template/values'
import { queriesOf } from './page-queries'
import { pages, type Page, type Visit } from './pages'

/** A page's template for one audience. */
interface PageTemplate {
  /** `visitor.home` */
  name: string
  html: string
  /** The page's source files, from which the build finds its scripts. */
  sources: string[]
}

const user = record<SessionUser>('$.user', 'object')
const recordedSetting: Setting = {
  brand: record<string>('$.brand', 'value'),
  site: record<Site>('$.site', 'object'),
  access: record<Access>('$.access', 'object'),
  documentation: record<boolean>('$.documentation', 'value'),
}

/** The templates of every page for visitors and for users. */
export async function firstHTML(
  renderer: (path: string, setting: Setting) => Promise<() => string>,
): Promise<PageTemplate[]> {
  const all: PageTemplate[] = []
  for (const page of pages) {
    if (page.audience !== 'users') all.push(await draw(page, 'visitor', null))
    if (page.audience !== 'visitors') all.push(await draw(page, 'user', user))
  }
  return all

  async function draw(page: Page, audience: string, who: SessionUser | null): Promise<PageTemplate> {
    startSession(who)
    setPrerenderDay(record<string>('$.today', 'value'))
    const client = await loadQueryClient()
    client.clear()
    const render = await renderer(addressOf(page), recordedSetting)
    const { drawn, marks } = recording(() => {
      // In keys of queries, page data is its path.
      const email = who ? '$.user.email' : ''
      const visit: Visit = { params: { id: 'none' }, search: new URLSearchParams(), email }
      for (const { key, boot } of queriesOf(page.name, visit)) {
        if (boot) client.setQueryData(key, record<object>(`$.${boot}`, 'object'))
      }
      return render()
    })
    const sources = [`src/routes/${page.name}.tsx`, ...(page.hasData ? ['src/app/data-page.tsx'] : [])]
    return { name: `${audience}.${page.name}`, html: compile(drawn, marks), sources }
  }
}

const addressOf = ({ path }: Page) => (path === '*' ? '/nowhere' : path.replace(':id', 'none'))

/** A page as the server fills it in, and the data for it. */
export interface Filled extends Setting {
  page: string
  path: string
  user: SessionUser | null
  today: string
  data: BootData
}

/** Draws a page with the data themselves, as the browser's first render does. */
export async function drawFilled(
  renderer: (path: string, setting: Setting) => Promise<() => string>,
  { page, path, user: who, today, data, ...setting }: Filled,
): Promise<string> {
  startSession(who)
  setPrerenderDay(today)
  const client = await loadQueryClient()
  client.clear()
  const { pathname, searchParams } = new URL(path, 'http://app.invalid')
  const pattern = pages.find(({ name }) => name === page)?.path ?? ''
  const params = matchPath(pattern, pathname)?.params ?? {}
  for (const query of queriesOf(page, { params, search: searchParams, email: who?.email ?? '' })) {
    const answer = query.boot && data[query.boot]
    if (answer !== undefined) query.prime(client, answer)
  }
  const render = await renderer(path, setting)
  return render()
}
