import { useSearchParams } from 'react-router'
import { ResetPage } from '@/features/auth/reset-page'

export function Component() {
  const [params] = useSearchParams()
  return <ResetPage token={params.get('token') ?? ''} />
}
