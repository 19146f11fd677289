import { Suspense, lazy, type ReactNode } from 'react'
import { fetchCode } from '@/lib/load-code'
import { withTexts } from '@/lib/texts'
import { Hero } from './hero'

const importRest = () => import('./below-first-view')

/** Asks again once the network is back. Until the code arrives, the sections' HTML stays and their links work. */
const fetchRest = (): ReturnType<typeof importRest> =>
  fetchCode(withTexts(importRest)).catch(
    () =>
      new Promise((resolve) => {
        window.addEventListener('online', () => resolve(fetchRest()), { once: true })
      }),
  )

/**
 * React hydrates these sections when their code arrives; the rest of the page does not wait for it. This is `lazy` and
 * not `lazyPart`: the build draws the sections, and only `Suspense` keeps their HTML until then.
 */
const BelowFirstView = import.meta.env.SSR ? (await importRest()).default : lazy(fetchRest)

/** `today`: the beginning of a signed-in user's home. */
export function HomePage({ today }: { today?: ReactNode }) {
  return (
    <div className="page grid gap-y-[clamp(4rem,8vw,6.5rem)]">
      {today}
      <Hero />
      {/* Keeps the footer below the screen. */}
      <Suspense fallback={<div className="min-h-svh" />}>
        <BelowFirstView />
      </Suspense>
    </div>
  )
}
