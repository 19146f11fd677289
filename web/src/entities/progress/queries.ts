import { queryOptions } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import type { components } from '@/api/schema.gen'
import { assertConfirmed } from '@/lib/assert-confirmed'
import { setAnswer, usuallyFreshMs } from '@/lib/query'
import type { Turn } from '@/entities/review/your-turn'

export type Dashboard = components['schemas']['Dashboard']
export type Progress = components['schemas']['Progress']
export type ObtainedMark = Dashboard['taken']['marks'][number]
export type LevelFigures = Dashboard['taken']['byLevel']

/** A prefetched answer is used, an older one refetched. */
export const freshMs = 2_000

export const progressKeys = {
  states: ['progress'],
  dashboard: ['dashboard'],
}

/** The reviews that the viewer owes and can give; undefined where one grade is the mark. */
export function turnOf(progress: Partial<Progress>): Turn | undefined {
  const { reviewsGiven: given, reviewsLeft: owed, reviewsAvailable: available, reviewBy: by } = progress
  if (given === undefined || owed === undefined || available === undefined) return undefined
  return { given, owed, available, by }
}

/** How far the viewer has come with each of some assignments. It also tells that of each by itself. */
export const progressQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: [...progressKeys.states, ...ids],
    queryFn: async ({ client }) => {
      const { data } = await answer(
        api.GET('/api/progress', {
          params: { query: { assignments: [...ids] } },
          querySerializer: { array: { style: 'form', explode: false } },
        }),
      )
      assertConfirmed(Array.isArray(data.data))
      if (ids.length > 1) {
        for (const one of data.data) setAnswer(client, progressQuery([one.assignmentId]), [one])
      }
      return data.data
    },
    // The user's writes and live events make it stale.
    staleTime: usuallyFreshMs,
    meta: { staleOn: [], derived: true },
  })

/** The viewer's submissions, assignments and grades, and the next steps. */
export const dashboardQuery = queryOptions({
  queryKey: progressKeys.dashboard,
  queryFn: async () => {
    const { data } = await answer(api.GET('/api/dashboard'))
    assertConfirmed(data?.taken)
    return data
  },
  staleTime: freshMs,
  meta: {
    boot: 'dashboard',
    staleOn: [
      'assignment.updated',
      'assignment.deleted',
      'submission.pending',
      'submission.withdrawn',
      'submission.graded',
    ],
    derived: true,
  },
})
