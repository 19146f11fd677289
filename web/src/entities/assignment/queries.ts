import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import type { components } from '@/api/schema.gen'
import { assertConfirmed } from '@/lib/assert-confirmed'
import { isProblem } from '@/lib/problem'
import { setAnswer, usuallyFreshMs, type EventKind } from '@/lib/query'
import { isPersonal, type ListQuery } from './list-query'

export type Assignment = components['schemas']['Assignment']
type HiddenAssignment = components['schemas']['HiddenAssignment']
export type AssignmentInput = components['schemas']['UpdateAssignmentInputBody']
export type AssignmentList = components['schemas']['AssignmentList']

/** Assignments on a page of the list. */
export const pageSize = 10

export const assignmentEvents: readonly EventKind[] = [
  'assignment.created',
  'assignment.updated',
  'assignment.deleted',
]

export const assignmentKeys = {
  lists: ['assignments'],
  list: (query: ListQuery, circle?: string) => ['assignments', ...(circle ? [circle] : []), query],
  one: (id: string) => ['assignment', id],
  all: ['assignment'],
}

/** A page of the list of a circle, or of the hall, for a level and a state or a search. It also tells all of an assignment in it that is plain text. */
export const listQuery = (query: ListQuery, circle?: string) =>
  queryOptions({
    queryKey: assignmentKeys.list(query, circle),
    queryFn: async ({ client }) => {
      const askedAt = Date.now()
      const list = await fetchList(query, circle)
      primeAssignments(client, list, askedAt)
      return list
    },
    staleTime: usuallyFreshMs,
    meta: {
      ...(!circle && { boot: 'list' }),
      staleOn: assignmentEvents,
      derived: isPersonal(query.state),
      prime: (client, list) => primeAssignments(client, list as AssignmentList, Date.now()),
    },
  })

/** One assignment; null where it does not exist. */
export const assignmentQuery = (id: string) =>
  queryOptions({
    queryKey: assignmentKeys.one(id),
    queryFn: () => fetchAssignment(id),
    staleTime: usuallyFreshMs,
    meta: { boot: 'assignment', staleOn: assignmentEvents, subject: id },
  })

/** Why a moderator has hidden an assignment, to its creator; undefined where none has. */
export function hiddenReason(assignment: Assignment | HiddenAssignment): string | undefined {
  return 'hidden' in assignment ? assignment.hidden.reason : undefined
}

/** Whether something was handed in for one of the viewer's own assignments, be it by themselves as an exemplar. */
export const takenQuery = (id: string) =>
  queryOptions({
    queryKey: [...assignmentKeys.one(id), 'taken'],
    queryFn: async () => {
      const [submissions, exemplars] = await Promise.all([
        answer(
          api.GET('/api/assignment/{id}/submissions', {
            params: { path: { id }, query: { page: 1, limit: 1 } },
          }),
        ),
        answer(api.GET('/api/assignment/{id}/exemplars', { params: { path: { id } } })),
      ])
      return submissions.data.pagination.total + exemplars.data.data.length > 0
    },
    meta: { staleOn: assignmentEvents, subject: id },
  })

async function fetchList(
  { page, level, state, sort, search }: ListQuery,
  circle: string | undefined,
): Promise<AssignmentList> {
  const { data } = await answer(
    api.GET('/api/assignments', {
      params: {
        query: {
          page,
          limit: pageSize,
          level: level || undefined,
          state: state || undefined,
          sort: sort || undefined,
          search: search || undefined,
          circle,
        },
      },
    }),
  )
  return data
}

export async function fetchAssignment(id: string, as?: 'student'): Promise<Assignment | null> {
  try {
    const { data } = await answer(
      api.GET('/api/assignment/{id}', { params: { path: { id }, query: { as } } }),
    )
    assertConfirmed(data?._id)
    return data
  } catch (error) {
    if (isProblem(error) && (error.status === 404 || error.status === 422)) return null
    throw error
  }
}

/** The assignments of a list, except those that are cached in the same or a newer version: a list may arrive late. */
function primeAssignments(client: QueryClient, list: AssignmentList, askedAt: number): void {
  for (const assignment of list.data) {
    const queryKey = assignmentKeys.one(assignment._id)
    const known = client.getQueryState<Assignment | null>(queryKey)
    const isWhole = assignment.format === 'plain' && !assignment.partial
    if (isWhole && (!known || isNewer(assignment, askedAt, known))) {
      setAnswer<Assignment | null, string[]>(client, assignmentQuery(assignment._id), assignment, askedAt)
    } else if (!isWhole && known?.data && known.data.updatedAt < assignment.updatedAt) {
      void client.invalidateQueries({ queryKey, exact: true })
    }
  }
}

function isNewer(
  assignment: Assignment,
  askedAt: number,
  known: { data: Assignment | null | undefined; dataUpdatedAt: number; isInvalidated: boolean },
): boolean {
  // A deleted assignment does not come back.
  if (known.data === null) return false
  if (known.data === undefined) return true
  const lead = Date.parse(assignment.updatedAt) - Date.parse(known.data.updatedAt)
  return lead === 0 ? !known.isInvalidated && askedAt > known.dataUpdatedAt : lead > 0
}
