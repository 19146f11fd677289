import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import type { components } from '@/api/schema.gen'
import { assertConfirmed } from '@/lib/assert-confirmed'
import { freshMs } from '@/entities/progress/queries'

type Schemas = components['schemas']
export type Result = Schemas['Result']
export type ResultDetail = Schemas['ResultDetail']
export type ResultSummary = Schemas['ResultSummary']

/** Of all results, whatever assignment they are of. */
export const resultsKey = ['results']

/** Reports whether a mark is being looked at again, or is overdue: an appeal, a reopening, no review in time. */
export const isOpen = ({
  appeal,
  reopened,
  unattended,
}: Pick<Result, 'appeal' | 'reopened' | 'unattended'>) => Boolean(appeal ?? reopened ?? unattended)

/** Results on a page. */
export const resultsAtOnce = 10

/** Which results are shown, in which order. */
export interface ResultsView {
  show: '' | 'pending' | 'completed' | 'waiting' | 'late' | 'appeal'
  sort: 'newest' | 'mark' | 'name'
  /** The section of the circle; '' for all. */
  label: string
}

export const allResults: ResultsView = { show: '', sort: 'newest', label: '' }

/** The submissions for one of the viewer's own assignments. */
export const resultsQuery = (assignmentId: string, page: number, view: ResultsView = allResults) => {
  const { show, sort, label } = view
  return queryOptions({
    queryKey: [...resultsKey, assignmentId, show, sort, label, page],
    queryFn: async () => {
      const query = {
        page,
        limit: resultsAtOnce,
        ...(sort !== 'newest' && { sort }),
        ...(label && { label }),
        ...(show === 'pending' || show === 'completed' ? { status: show } : show && { show }),
      }
      const params = { path: { id: assignmentId }, query }
      const { data } = await answer(api.GET('/api/assignment/{id}/submissions', { params }))
      assertConfirmed(Array.isArray(data?.data))
      return data
    },
    staleTime: freshMs,
    meta: { staleOn: [], derived: true },
  })
}

/** One submission with its document, reviews and timeline. */
export const resultQuery = (assignmentId: string, submissionId: string) =>
  queryOptions({
    queryKey: [...resultsKey, assignmentId, 'one', submissionId],
    queryFn: async () => {
      const params = { path: { id: assignmentId, submissionId } }
      return (await answer(api.GET('/api/assignment/{id}/submissions/{submissionId}', { params }))).data
    },
    staleTime: freshMs,
    meta: { staleOn: [], derived: true },
  })

/** Counts, distribution and outliers. */
export const summaryQuery = (assignmentId: string) =>
  queryOptions({
    queryKey: [...resultsKey, assignmentId, 'summary'],
    queryFn: async () => {
      const params = { path: { id: assignmentId } }
      const { data } = await answer(api.GET('/api/assignment/{id}/results', { params }))
      assertConfirmed(data?.total !== undefined)
      return data
    },
    staleTime: freshMs,
    meta: { staleOn: [], derived: true },
  })

/** The submissions of which a mark of the viewer's narrows intervals most. */
export const looksQuery = (assignmentId: string) =>
  queryOptions({
    queryKey: [...resultsKey, assignmentId, 'looks'],
    queryFn: async () => {
      const { data } = await answer(
        api.GET('/api/assignment/{id}/looks', { params: { path: { id: assignmentId } } }),
      )
      assertConfirmed(Array.isArray(data?.data))
      return data
    },
    staleTime: freshMs,
    meta: { staleOn: [], derived: true },
  })

/** Finalizes all submissions that have reviews; returns how many it finalized. */
export const finalizeAll = mutationOptions({
  mutationFn: async (assignmentId: string) => {
    let settled = 0
    for (;;) {
      const params = { path: { id: assignmentId } }
      const { data } = await answer(api.POST('/api/assignment/{id}/settle', { params }))
      assertConfirmed(data)
      settled += data.modifiedCount
      if (data.leftCount === 0 || data.modifiedCount === 0) return settled
    }
  },
})
