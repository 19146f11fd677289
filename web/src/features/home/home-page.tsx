import type { ReactNode } from 'react'
import { Faq } from './faq'
import { FeatureGrid } from './feature-grid'
import { Featured } from './featured'
import { Hero } from './hero'

/** `today`: what a signed-in user's home begins with. */
export function HomePage({ today }: { today?: ReactNode }) {
  return (
    <div className="page grid gap-y-[clamp(4rem,8vw,6.5rem)]">
      {today}
      <Hero />
      <Faq />
      <FeatureGrid />
      <Featured />
    </div>
  )
}
