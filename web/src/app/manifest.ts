import type { BootData } from '@/lib/boot'
import { queriesOf } from './page-queries'
import { pages, redirects, type Page, type Visit } from './pages'

/** A page or an alternative path, for the server. */
export interface ManifestEntry extends Partial<Omit<Page, 'path' | 'title' | 'hasData' | 'load'>> {
  path: string
  title?: string
  /** The names of the data that the first HTML may bring. */
  data?: (keyof BootData)[]
  redirectTo?: string
}

/** The table of pages without code, for the server. */
export function manifest(): ManifestEntry[] {
  const nowhere: Visit = { params: {}, search: new URLSearchParams(), email: '' }
  return [
    ...pages.map(({ name, path, title, audience, layout, only, withoutHall }) => ({
      name,
      path,
      title: title(),
      audience,
      layout,
      only,
      withoutHall,
      data: queriesOf(name, nowhere).flatMap(({ boot }) => boot ?? []),
    })),
    ...redirects,
  ]
}
