import { Faq } from './faq'
import { FeatureGrid } from './feature-grid'
import { Featured } from './featured'

/** The sections that the first view does not reach. */
export default function BelowFirstView() {
  return (
    <>
      <Faq />
      <FeatureGrid />
      <Featured />
    </>
  )
}
