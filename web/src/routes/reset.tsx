import { ResetPage } from '@/features/auth/reset-page'
import { searchParams, useSearch, words } from '@/lib/search-params'

const params = searchParams({ token: words() })

export function Component() {
  const [{ token }] = useSearch(params)
  return <ResetPage token={token} />
}
