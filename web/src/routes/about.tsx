import { AboutPage } from '@/features/about/about-page'
import { useBrand } from '@/lib/site'
import { useTitle } from '@/lib/use-title'

export function Component() {
  useTitle(`About Us | ${useBrand()}`)
  return <AboutPage />
}
