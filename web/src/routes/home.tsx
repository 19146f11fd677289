import { HomePage } from '@/features/home/home-page'
import { useTitle } from '@/lib/use-title'

export function Component() {
  useTitle('home')
  return <HomePage />
}
