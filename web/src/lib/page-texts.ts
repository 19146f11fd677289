/** The files of texts: every page fetches `public`, and at most one of the others. */
export type TextsPart = 'public' | 'visit' | 'app'

/** The pages whose texts are in a smaller file than `app`: those that a visitor opens first. */
export const pagesOf: Record<'public' | 'visit', readonly string[]> = {
  public: ['home', 'about', 'not-found'],
  visit: ['assignments', 'assignment', 'login', 'register'],
}

/** The file with the texts of a page. */
export function textsPartOf(page: string): TextsPart {
  if (pagesOf.public.includes(page)) return 'public'
  return pagesOf.visit.includes(page) ? 'visit' : 'app'
}
