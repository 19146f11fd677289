import { useSearchParams } from 'react-router'
import { pageOf } from '@/lib/page-of'

/** The page number in the address, and how to go to another one. */
export function usePage(): [number, (page: number) => void] {
  const [params, setParams] = useSearchParams()
  return [pageOf(params), (page) => setParams(page > 1 ? { page: String(page) } : {})]
}
