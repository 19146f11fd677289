import { VerifyPage } from '@/features/auth/verify-page'
import { searchParams, useSearch, words } from '@/lib/search-params'

const params = searchParams({ token: words() })

export function Component() {
  const [{ token }] = useSearch(params)
  return <VerifyPage token={token} />
}
