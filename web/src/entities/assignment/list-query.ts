import { oneOf, pageNumber, searchParams, words } from '@/lib/search-params'

const personal = ['open', 'pending', 'graded', 'mine'] as const

const listParams = searchParams({
  search: words(200),
  level: oneOf('easy', 'medium', 'hard'),
  /** The viewer's state, or due soon. */
  state: oneOf(...personal, 'due-soon'),
  /** By when they were published; empty for the newest first. */
  sort: oneOf('oldest'),
  page: pageNumber,
})

export type ListQuery = ReturnType<typeof listParams.read>

/** Reports whether a state needs a signed-in user. */
export const isPersonal = (state: ListQuery['state']): boolean => personal.some((one) => one === state)

/** Reads the list's address. A search looks through all, so it has no state; both have orders of their own. */
export function listQueryOf(address: URLSearchParams): ListQuery {
  const query = listParams.read(address)
  const state = query.search ? '' : query.state
  return { ...query, state, sort: query.search || state ? '' : query.sort }
}

/** The address of the list of a circle, or of the hall. */
export const listAddress = (query: ListQuery, circle?: string): string =>
  listParams.address(circle ? `/circle/${circle}` : '/assignments', query)
