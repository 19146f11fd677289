import { useSearchParams } from 'react-router'
import { VerifyPage } from '@/features/auth/verify-page'

export function Component() {
  const [params] = useSearchParams()
  return <VerifyPage token={params.get('token') ?? ''} />
}
