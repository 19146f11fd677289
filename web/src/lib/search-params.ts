import { useCallback, useEffect } from 'react'
import { useLocation, useNavigate, useSearchParams, type NavigateOptions } from 'react-router'

/** Reads the text of a parameter. '' and text that makes no sense are its default, which addresses leave out. */
type Reader<Value extends string | number> = (text: string) => Value

export const pageNumber: Reader<number> = (text) => {
  const page = Number(text)
  return Number.isSafeInteger(page) && page > 0 ? page : 1
}

export const words =
  (longest = Infinity): Reader<string> =>
  (text) =>
    text.trim().slice(0, longest)

export const oneOf =
  <Value extends string>(...values: Value[]): Reader<Value | ''> =>
  (text) =>
    values.find((value) => value === text) ?? ''

interface SearchParams<Values> {
  read: (search: URLSearchParams) => Values
  /** `path` with these values and the rest of `search`. A page that they do not name is the first. */
  address: (path: string, values: Partial<Values>, search?: URLSearchParams) => string
}

/** What the parameters of an address say, by their names. */
export function searchParams<Values extends object>(readers: {
  [Name in keyof Values]: Values[Name] extends string | number ? Reader<Values[Name]> : never
}): SearchParams<Values> {
  const all = Object.entries<Reader<string | number>>(readers)
  return {
    read: (search) =>
      Object.fromEntries(all.map(([name, reader]) => [name, reader(search.get(name) ?? '')])) as Values,
    address(path, values, search) {
      const params = new URLSearchParams(search)
      for (const [name, reader] of all) {
        const before = reader === pageNumber ? '' : (params.get(name) ?? '')
        const value = values[name as keyof Values] ?? reader(before)
        params.delete(name)
        if (value !== reader('')) params.set(name, String(value))
      }
      return params.size > 0 ? `${path}?${params}` : path
    },
  }
}

/** What the present address says, and a change of it, after which its list starts at the first page. */
export function useSearch<Values>({ read, address }: SearchParams<Values>) {
  const [search] = useSearchParams()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const change = (values: Partial<Values>, options?: NavigateOptions) =>
    void navigate(address(pathname, values, search), options)
  return [read(search), change] as const
}

interface ListPages {
  page: number
  /** The address of another page of the list. */
  addressOf: (page: number) => string
  go: (page: number, replace?: boolean) => void
  /** The page is past the end, as an old link's or one whose last row has just gone: the last page is on its way. */
  isPastEnd: boolean
}

/** The page of a list, which has a parameter of its own in the address. */
export function usePage(name = 'page', totalPages = 0): ListPages {
  const [search] = useSearchParams()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const page = pageNumber(search.get(name) ?? '')
  const addressOf = useCallback(
    (to: number) =>
      searchParams<Record<string, number>>({ [name]: pageNumber }).address(pathname, { [name]: to }, search),
    [search, pathname, name],
  )
  const go = useCallback(
    (to: number, replace = false) =>
      void navigate(addressOf(to), { replace, preventScrollReset: replace || name !== 'page' }),
    [addressOf, navigate, name],
  )
  const isPastEnd = totalPages > 0 && page > totalPages
  useEffect(() => {
    if (isPastEnd) go(totalPages, true)
  }, [isPastEnd, totalPages, go])
  return { page, addressOf, go, isPastEnd }
}
