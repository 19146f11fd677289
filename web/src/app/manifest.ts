import type { BootData } from '@/lib/boot'
import { queriesOf } from './page-queries'
import { pages, redirects, type Page, type Visit } from './pages'

/** A page or another spelling of one as the server knows it. */
export interface ManifestEntry extends Partial<Omit<Page, 'path' | 'hasData' | 'load'>> {
  path: string
  /** What the page shows of the server's: the names under which the first HTML may bring it. */
  data?: (keyof BootData)[]
  redirectTo?: string
}

/** The table of pages without its code, for the build to hand to the server. */
export function manifest(): ManifestEntry[] {
  const nowhere: Visit = { params: {}, search: new URLSearchParams(), email: '' }
  return [
    ...pages.map(({ name, path, title, audience, layout }) => ({
      name,
      path,
      title,
      audience,
      layout,
      data: queriesOf(name, nowhere).flatMap(({ boot }) => boot ?? []),
    })),
    ...redirects,
  ]
}
