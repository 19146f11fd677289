import { answer, api } from '@/api/client'
import type { components } from '@/api/schema.gen'
import { ensure, outdate, patch, seed } from '@/lib/cache'
import { pageOf } from '@/lib/page-of'
import { proven } from '@/lib/proof'

export type Assignment = components['schemas']['Assignment']
export type AssignmentInput = components['schemas']['UpdateAssignmentInputBody']
export type AssignmentList = components['schemas']['AssignmentList']
type LevelFilter = Assignment['level'] | ''

export interface ListQuery {
  page: number
  level: LevelFilter
  search: string
}

const pageSize = 10

/** Reads the list's address; what makes no sense there is read as nothing. */
export function listQueryOf(params: URLSearchParams): ListQuery {
  const level = params.get('level')
  return {
    page: pageOf(params),
    level: level === 'easy' || level === 'medium' || level === 'hard' ? level : '',
    search: (params.get('search') ?? '').trim().slice(0, 200),
  }
}

/** The other way round, leaving out what goes without saying. */
export function listAddress({ page, level, search }: ListQuery): string {
  const params = new URLSearchParams()
  if (search) params.set('search', search)
  if (level) params.set('level', level)
  if (page > 1) params.set('page', String(page))
  return params.size > 0 ? `/assignments?${params}` : '/assignments'
}

const lists = 'assignments?'
export const listKey = (query: ListQuery) => lists + JSON.stringify([query.page, query.level, query.search])
export const assignmentKey = (id: string) => `assignment/${id}`

export async function fetchList({ page, level, search }: ListQuery): Promise<AssignmentList> {
  const { data } = await answer(
    api.GET('/api/assignments', {
      params: { query: { page, limit: pageSize, level: level || undefined, search: search || undefined } },
    }),
  )
  seedList(data)
  return data
}

/** A card knows all of its assignment, so that its details need not be asked for. */
export function seedList(list: AssignmentList): void {
  for (const assignment of list.data) seed(assignmentKey(assignment._id), assignment)
}

export async function fetchAssignment(id: string): Promise<Assignment> {
  const { data } = await answer(api.GET('/api/assignment/{id}', { params: { path: { id } } }))
  proven(data?._id)
  return data
}

/** Somebody else changed, added or removed an assignment; '' stands for any of them. */
export function outdateAssignments(id: string): void {
  outdate(lists, assignmentKey(id))
}

export function preloadList(query: ListQuery): Promise<void> {
  return ensure(listKey(query), () => fetchList(query))
}

export function preloadAssignment(id: string): Promise<void> {
  return ensure(assignmentKey(id), () => fetchAssignment(id))
}

export async function createAssignment(input: AssignmentInput): Promise<void> {
  const { data } = await answer(api.POST('/api/assignments', { body: input }))
  proven(data?.insertedId)
  outdate(lists)
}

export async function updateAssignment(id: string, input: AssignmentInput): Promise<void> {
  const { data } = await answer(api.PUT('/api/assignment/{id}', { params: { path: { id } }, body: input }))
  proven(data?.matchedCount)
  outdate(lists, assignmentKey(id))
}

export async function deleteAssignment(id: string): Promise<void> {
  const { data } = await answer(api.DELETE('/api/assignment/{id}', { params: { path: { id } } }))
  proven(data?.deletedCount)
  forgetAssignment(id)
}

/** Takes an assignment that is gone out of everything that is shown; lists are filled up again when seen. */
export function forgetAssignment(id: string): void {
  patch<Assignment>(assignmentKey(id), () => undefined)
  patch<AssignmentList>(lists, (list) => ({
    ...list,
    data: list.data.filter((assignment) => assignment._id !== id),
  }))
  outdate(lists)
}
