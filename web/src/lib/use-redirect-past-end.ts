import { useEffect } from 'react'
import { useSearchParams } from 'react-router'

/**
 * Leads from a page past the end, as an old link has or one whose last row has just gone, to the last page. Reports
 * whether it is doing so: the list is empty meanwhile. `name` is the page's parameter in the address.
 */
export function useRedirectPastEnd(page: number, totalPages: number | undefined, name = 'page'): boolean {
  const [, setParams] = useSearchParams()
  const past = totalPages !== undefined && totalPages > 0 && page > totalPages
  useEffect(() => {
    if (!past) return
    setParams(
      (params) => {
        params.set(name, String(totalPages))
        return params
      },
      { replace: true, preventScrollReset: true },
    )
  }, [past, totalPages, name, setParams])
  return past
}
