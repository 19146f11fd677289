import { Faq } from './faq'
import { FeatureGrid } from './feature-grid'
import { Featured } from './featured'
import { Hero } from './hero'

export function HomePage() {
  return (
    <div className="page grid gap-y-[clamp(4rem,8vw,6.5rem)]">
      <Hero />
      <Faq />
      <FeatureGrid />
      <Featured />
    </div>
  )
}
