/** The page that an address asks for; 1 where it makes no sense. */
export function pageOf(params: URLSearchParams): number {
  const page = Number(params.get('page'))
  return Number.isSafeInteger(page) && page > 0 ? page : 1
}
