import type { components } from '@/api/schema.gen'
import { pageOf } from '@/lib/page-of'

export interface ListQuery {
  page: number
  level: components['schemas']['Assignment']['level'] | ''
  /** Empty while something is searched for: a search looks through all. */
  state: ListState | ''
  /** By when they were published; empty for the newest first. A state and a search have orders of their own. */
  sort: 'oldest' | ''
  search: string
}

/** The filters of the list: the viewer's state, or due soon. */
type ListState = (typeof states)[number]

const personal = ['open', 'pending', 'graded', 'mine'] as const
const states = [...personal, 'due-soon'] as const

/** Reports whether a state needs a signed-in user. */
export const isPersonal = (state: ListQuery['state']): boolean => personal.some((one) => one === state)

/** Reads the list's address; what makes no sense there is read as nothing. */
export function listQueryOf(params: URLSearchParams): ListQuery {
  const level = params.get('level')
  const search = (params.get('search') ?? '').trim().slice(0, 200)
  const state = (!search && states.find((one) => one === params.get('state'))) || ''
  return {
    page: pageOf(params),
    level: level === 'easy' || level === 'medium' || level === 'hard' ? level : '',
    state,
    sort: !search && !state && params.get('sort') === 'oldest' ? 'oldest' : '',
    search,
  }
}

/** The address of the list of a circle, or of the hall, without defaults. */
export function listAddress({ page, level, state, sort, search }: ListQuery, circle?: string): string {
  const path = circle ? `/circle/${circle}` : '/assignments'
  const params = new URLSearchParams()
  if (search) params.set('search', search)
  if (level) params.set('level', level)
  if (state) params.set('state', state)
  if (sort) params.set('sort', sort)
  if (page > 1) params.set('page', String(page))
  return params.size > 0 ? `${path}?${params}` : path
}
