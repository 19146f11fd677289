import { existsSync, symlinkSync } from 'node:fs'

/** Lets ../e2e use this package's modules, so that there is one lock file. */
export function linkE2e() {
  const modules = new URL('../../e2e/node_modules', import.meta.url)
  if (!existsSync(modules)) symlinkSync('../web/node_modules', modules)
}
