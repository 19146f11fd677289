import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import type { components } from '@/api/schema.gen'
import { assertConfirmed } from '@/lib/assert-confirmed'

export type Exemplar = components['schemas']['Exemplar']

/** As many as an assignment may have. */
export const mostExemplars = 3

/** The exemplars of the user's own assignment. Only its creator changes them. */
export const exemplarsQuery = (assignmentId: string) =>
  queryOptions({
    queryKey: ['reviews', 'exemplars', assignmentId],
    queryFn: async () => {
      const params = { path: { id: assignmentId } }
      const { data } = await answer(api.GET('/api/assignment/{id}/exemplars', { params }))
      assertConfirmed(Array.isArray(data?.data))
      return data.data
    },
    meta: { staleOn: [], derived: true },
  })

interface ExemplarInput {
  docsLink: string
  note: string
  mark: number
  /** The levels of the rubric that make the mark. */
  levels?: number[] | undefined
  reason: string
}

/** Hands in an exemplar, or changes its mark, levels and reason. */
export const saveExemplar = mutationOptions({
  mutationFn: async ({ assignmentId: id, exemplar, input }: SaveExemplar) => {
    const { mark, reason, levels } = input
    if (exemplar) {
      const params = { path: { id, submissionId: exemplar._id } }
      await answer(
        api.PUT('/api/assignment/{id}/exemplars/{submissionId}', { params, body: { mark, reason, levels } }),
      )
    } else {
      await answer(api.POST('/api/assignment/{id}/exemplars', { params: { path: { id } }, body: input }))
    }
  },
})

interface SaveExemplar {
  assignmentId: string
  exemplar: Exemplar | undefined
  input: ExemplarInput
}

export const removeExemplar = mutationOptions({
  mutationFn: async ({ assignmentId, submissionId }: { assignmentId: string; submissionId: string }) => {
    const params = { path: { id: assignmentId, submissionId } }
    await answer(api.DELETE('/api/assignment/{id}/exemplars/{submissionId}', { params }))
  },
})
