import { useCallback } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { pageIn, pageOf } from './page-of'

interface ListPlace {
  page: number
  /** The address of another page of the list; the rest of the address stays. */
  addressOf: (page: number) => string
  go: (page: number) => void
}

/** The page of a list that the address names under the list's own parameter. */
export function usePage(name = 'page'): ListPlace {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const addressOf = useCallback(
    (page: number) => {
      const next = new URLSearchParams(params)
      if (page > 1) next.set(name, String(page))
      else next.delete(name)
      return next.size > 0 ? `${pathname}?${next}` : pathname
    },
    [params, pathname, name],
  )
  const go = useCallback(
    (page: number) => void navigate(addressOf(page), { preventScrollReset: name !== 'page' }),
    [addressOf, navigate, name],
  )
  return { page: name === 'page' ? pageOf(params) : pageIn(params, name), addressOf, go }
}

/** A list's filter in the address, by its parameter's name, and how to choose another one, from its first page on. */
export function useFilter(name: string): [string | null, (value: string) => void] {
  const [params, setParams] = useSearchParams()
  return [params.get(name), (value) => setParams(value ? { [name]: value } : {})]
}
