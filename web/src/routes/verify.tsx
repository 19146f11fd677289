import { useSearchParams } from 'react-router'
import { VerifyPage } from '@/features/auth/verify-page'

export function Component() {
  const [search] = useSearchParams()
  return <VerifyPage token={search.get('token') ?? ''} />
}
