import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import type { components } from '@/api/schema.gen'
import { assertConfirmed } from '@/lib/assert-confirmed'
import { previousOfSubject } from '@/lib/query'

type Schemas = components['schemas']
export type CircleMarks = Schemas['CircleMarks']
export type MarkColumn = Schemas['MarkColumn']
export type MarkRow = Schemas['MarkRow']
export type MarkCell = Schemas['MarkCell']
export type Owes = Schemas['Owes']
export type Debt = Schemas['Debt']
export type WaitingSubmission = Schemas['WaitingSubmission']

/** A prefetched answer is used, an older one refetched. */
const freshMs = 2_000

/** Members on a page of marks: a class is on one. */
const membersAtOnce = 100

/** People on a page of those who owe something. */
const debtsAtOnce = 10

/** The order of members: '' is that of needs on the page. */
export type MarksOrder = '' | 'name' | 'family'

/** A page of a circle's members with their marks. */
export const marksQuery = (circle: string, page: number, sort: MarksOrder = '', label = '') => {
  const queryKey = ['marks', circle, page, sort, label]
  return queryOptions({
    queryKey,
    queryFn: async () => {
      const query = { page, limit: membersAtOnce, sort: sort || undefined, label: label || undefined }
      const params = { path: { id: circle }, query }
      const { data } = await answer(api.GET('/api/circle/{id}/marks', { params }))
      assertConfirmed(Array.isArray(data?.assignments))
      return data
    },
    placeholderData: previousOfSubject(queryKey),
    staleTime: freshMs,
    meta: { staleOn: ['circle.changed', 'assignment.updated', 'assignment.deleted'], derived: true },
  })
}

/** Who owes what for an assignment. */
export const owesQuery = (assignment: string, page: number) => {
  const queryKey = ['owes', assignment, page]
  return queryOptions({
    queryKey,
    queryFn: async () => {
      const params = { path: { id: assignment }, query: { page, limit: debtsAtOnce } }
      const { data } = await answer(api.GET('/api/assignment/{id}/owes', { params }))
      assertConfirmed(Array.isArray(data?.submissions))
      return data
    },
    placeholderData: previousOfSubject(queryKey),
    staleTime: freshMs,
    meta: { staleOn: ['assignment.updated'], derived: true },
  })
}

/** Reminds everyone who owes something for an assignment; returns how many. */
export const remindOwing = mutationOptions({
  mutationFn: async (id: string) =>
    (await answer(api.POST('/api/assignment/{id}/owes/remind', { params: { path: { id } } }))).data
      ?.modifiedCount ?? 0,
})

export interface File {
  of: 'circle' | 'assignment'
  id: string
  what: 'marks' | 'results' | 'reviews'
  codes: boolean
  /** Of marks: the form that spreadsheets and grade books read. */
  form?: 'wide' | 'canvas' | 'moodle' | 'long'
  /** Of marks: without organizers and owners. */
  students?: boolean
}

const paths = {
  circle: { marks: '/api/circle/{id}/marks.csv', reviews: '/api/circle/{id}/reviews.csv' },
  assignment: { results: '/api/assignment/{id}/results.csv', reviews: '/api/assignment/{id}/reviews.csv' },
} as const

/** The addresses of files. */
type Path =
  | '/api/circle/{id}/marks.csv'
  | '/api/circle/{id}/reviews.csv'
  | '/api/assignment/{id}/results.csv'
  | '/api/assignment/{id}/reviews.csv'

/**
 * A file of comma-separated values, whole: a connection that breaks is an error. It has a byte order mark for
 * spreadsheets; grade books and programs read it without.
 */
export const fetchFile = mutationOptions({
  mutationFn: async ({ of, id, what, codes, form, students }: File): Promise<Blob> => {
    const known: Partial<Record<File['what'], Path>> = paths[of]
    const path = known[what] ?? paths.circle.marks
    const isForPrograms = what === 'reviews' || form === 'canvas' || form === 'moodle'
    const query = {
      bom: isForPrograms ? 'false' : 'true',
      codes: codes ? 'true' : 'false',
      ...(form && { form, students: students ? 'true' : 'false' }),
    } as const
    return (await answer(api.GET(path, { params: { path: { id }, query }, parseAs: 'blob' }))).data
  },
})
