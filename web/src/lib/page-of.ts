import { ofAddress } from './template'

/** The page that an address asks for; 1 where it makes no sense. */
export function pageOf(params: URLSearchParams): number {
  return ofAddress('$.query.page', () => {
    const page = Number(params.get('page'))
    return Number.isSafeInteger(page) && page > 0 ? page : 1
  })
}
