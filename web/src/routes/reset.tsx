import { useSearchParams } from 'react-router'
import { ResetPage } from '@/features/auth/reset-page'

export function Component() {
  const [search] = useSearchParams()
  return <ResetPage token={search.get('token') ?? ''} />
}
