/** Which page of a discussion an address asks for; 1 where it makes no sense. */
export function discussionPageOf(params: URLSearchParams): number {
  const page = Number(params.get('comments'))
  return Number.isSafeInteger(page) && page > 0 ? page : 1
}
