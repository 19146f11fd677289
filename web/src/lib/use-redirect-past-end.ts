import { useEffect } from 'react'
import { useSearchParams } from 'react-router'

/**
 * Leads on to the last page there is from one that is past it: an old link, or a page whose last row
 * has just gone. Tells whether it is doing so, for a list that would look empty meanwhile. The page is
 * the address's `page`.
 */
export function useRedirectPastEnd(page: number, totalPages: number | undefined): boolean {
  const [, setParams] = useSearchParams()
  const past = totalPages !== undefined && totalPages > 0 && page > totalPages
  useEffect(() => {
    if (!past) return
    setParams(
      (params) => {
        params.set('page', String(totalPages))
        return params
      },
      { replace: true },
    )
  }, [past, totalPages, setParams])
  return past
}
