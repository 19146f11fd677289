import type { components } from '@/api/schema.gen'
import { pageOf } from '@/lib/page-of'
import { ofAddress } from '@/lib/template'

export interface ListQuery {
  page: number
  level: components['schemas']['Assignment']['level'] | ''
  search: string
}

/** Reads the list's address; what makes no sense there is read as nothing. */
export function listQueryOf(params: URLSearchParams): ListQuery {
  return ofAddress('$.query', () => {
    const level = params.get('level')
    return {
      page: pageOf(params),
      level: level === 'easy' || level === 'medium' || level === 'hard' ? level : '',
      search: (params.get('search') ?? '').trim().slice(0, 200),
    }
  })
}

/** The other way round, leaving out what goes without saying. */
export function listAddress({ page, level, search }: ListQuery): string {
  const params = new URLSearchParams()
  if (search) params.set('search', search)
  if (level) params.set('level', level)
  if (page > 1) params.set('page', String(page))
  return params.size > 0 ? `/assignments?${params}` : '/assignments'
}
