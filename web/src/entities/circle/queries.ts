import { queryOptions } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import type { components } from '@/api/schema.gen'
import { assertConfirmed } from '@/lib/assert-confirmed'
import { isProblem } from '@/lib/problem'
import { previousOfSubject, usuallyFreshMs } from '@/lib/query'
import { circleKeys } from './keys'

export type Circle = components['schemas']['Circle']
export type CircleFields = components['schemas']['CircleFields']
export type ListedCircle = components['schemas']['ListedCircle']
export type Role = Circle['role']

/** Circles on a page. */
const circlesAtOnce = 12

/** The user's circles, by name. */
export const circlesQuery = (page: number) =>
  queryOptions({
    queryKey: [...circleKeys.lists, 'mine', page],
    queryFn: async () => {
      const { data } = await answer(
        api.GET('/api/circles', { params: { query: { page, limit: circlesAtOnce } } }),
      )
      assertConfirmed(Array.isArray(data?.data))
      // Without `listed` the answer is of this type.
      return data as components['schemas']['CircleList']
    },
    staleTime: usuallyFreshMs,
    meta: { staleOn: ['circle.changed'] },
  })

/** The circles that every user can find, or those that a search finds. */
export const listedQuery = (search: string, page: number) => {
  const queryKey = [...circleKeys.listed, search, page]
  return queryOptions({
    queryKey,
    queryFn: async () => {
      const { data } = await answer(
        api.GET('/api/circles', {
          params: { query: { listed: 'true', page, limit: circlesAtOnce, search: search || undefined } },
        }),
      )
      assertConfirmed(Array.isArray(data?.data))
      return data as components['schemas']['ListedCircles']
    },
    placeholderData: previousOfSubject(queryKey),
    staleTime: usuallyFreshMs,
    meta: { staleOn: ['circle.changed'] },
  })
}

/** The user's deleted circles, while they can be restored. */
export const deletedQuery = (page: number) =>
  queryOptions({
    queryKey: [...circleKeys.deleted, page],
    queryFn: async () => {
      const { data } = await answer(
        api.GET('/api/circles', { params: { query: { deleted: 'true', page, limit: circlesAtOnce } } }),
      )
      assertConfirmed(Array.isArray(data?.data))
      return data as components['schemas']['DeletedCircles']
    },
    staleTime: usuallyFreshMs,
    meta: { staleOn: ['circle.changed'] },
  })

/** One circle of the user's; null where they are in none of that id. */
export const circleQuery = (id: string) =>
  queryOptions({
    queryKey: circleKeys.one(id),
    queryFn: () => fetchCircle(id),
    staleTime: usuallyFreshMs,
    meta: { boot: 'circle', staleOn: ['circle.changed'], subject: id },
  })

async function fetchCircle(id: string): Promise<Circle | null> {
  try {
    const { data } = await answer(api.GET('/api/circle/{id}', { params: { path: { id } } }))
    assertConfirmed(data?._id)
    return data
  } catch (error) {
    if (isProblem(error) && (error.status === 404 || error.status === 422)) return null
    throw error
  }
}
