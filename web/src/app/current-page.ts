import { useLocation, useMatches, useParams } from 'react-router'
import { useUser } from '@/lib/session'
import type { Page, Visit } from './pages'

/** The page that the address names, said by its route. */
export function useCurrentPage(): Page | undefined {
  return useMatches().at(-1)?.handle as Page | undefined
}

export function useVisit(): Visit {
  const params = useParams()
  const { search } = useLocation()
  return { params, search: new URLSearchParams(search), email: useUser()?.email ?? '' }
}
