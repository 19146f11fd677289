import { useSearchParams } from 'react-router'
import { pageOf } from '@/lib/page-of'

/** The page number in the address, and how to go to another one of the same list. */
export function usePage(): [number, (page: number) => void] {
  const [params, setParams] = useSearchParams()
  return [
    pageOf(params),
    (page) => {
      const { page: _, ...others } = Object.fromEntries(params)
      setParams(page > 1 ? { ...others, page: String(page) } : others)
    },
  ]
}

/** A list's filter in the address, by its parameter's name, and how to choose another one, from its first page on. */
export function useFilter(name: string): [string | null, (value: string) => void] {
  const [params, setParams] = useSearchParams()
  return [params.get(name), (value) => setParams(value ? { [name]: value } : {})]
}
