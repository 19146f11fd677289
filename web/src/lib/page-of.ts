/** The page that an address asks for; 1 where it makes no sense. */
export const pageOf = (params: URLSearchParams): number => pageIn(params, 'page')

/** The page of a further list on a page, under its own name in the address. */
export function pageIn(params: URLSearchParams, name: string): number {
  const page = Number(params.get(name))
  return Number.isSafeInteger(page) && page > 0 ? page : 1
}
