import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import { assertConfirmed } from '@/lib/assert-confirmed'
import { isProblem } from '@/lib/problem'
import { invalidate } from '@/lib/query'
import {
  reservedKey,
  submissionKeys,
  type PendingSubmission,
  type ReviewTask,
  type SubmissionInput,
  type SubmissionPage,
} from '@/entities/submission/queries'

const invalidateAll = (client: QueryClient) => invalidate(client, submissionKeys.pending, submissionKeys.mine)

/** Hands in. */
export const createSubmission = mutationOptions({
  mutationFn: async (input: SubmissionInput & { assignmentId: string }) => {
    const { data } = await answer(api.POST('/api/submissions', { body: input }))
    assertConfirmed(data?.insertedId)
  },
  // A refusal shows that another submission waits already.
  onSettled: (_data, _error, _input, _before, { client }) => invalidateAll(client),
})

/** Changes the user's own submission while it waits for its mark. A refusal means that it no longer does. */
export const updateSubmission = mutationOptions({
  mutationFn: async ({ id, input }: { id: string; input: SubmissionInput }) => {
    await answer(api.PUT('/api/submissions/{id}/own', { params: { path: { id } }, body: input }))
  },
  onSettled: (_data, _error, _input, _before, { client }) => invalidateAll(client),
})

/** Withdraws the user's own submission while it waits for its mark. */
export const withdrawSubmission = mutationOptions({
  mutationFn: async (id: string) => {
    const { data } = await answer(api.DELETE('/api/submissions/{id}/own', { params: { path: { id } } }))
    assertConfirmed(data?.deletedCount)
  },
  onSettled: (_data, _error, _id, _before, { client }) => invalidateAll(client),
})

/** Sends another user's submission back for a reason. */
export const sendBack = mutationOptions({
  mutationFn: async ({ id, reason }: { id: string; reason: string }) => {
    const { data } = await answer(
      api.POST('/api/submissions/{id}/send-back', { params: { path: { id } }, body: { reason } }),
    )
    assertConfirmed(data?.modifiedCount)
  },
  onSettled: (_data, _error, _input, _before, { client }) => invalidateAll(client),
})

/** A mark, or the chosen levels of a rubric, counted from 0. */
interface Grade {
  id: string
  marks?: number
  levels?: number[]
  feedback: string
}

/**
 * Reserves the next submission to review, of one assignment or of any; null where there is none for the user, or the
 * assignment is gone. What is reserved already is given out again, whatever was asked for.
 */
export const nextReview = mutationOptions({
  mutationFn: async (assignmentId: string | undefined): Promise<ReviewTask | null> => {
    try {
      const { data } = await answer(api.POST('/api/reviews/next', { body: { assignmentId } }))
      return data ?? null
    } catch (error) {
      if (isProblem(error, 'not-found')) return null
      throw error
    }
  },
  // A submission that it did not return is no longer there to review.
  onSettled: (_data, _error, _id, _before, { client }) =>
    invalidate(client, reservedKey, submissionKeys.pending),
})

/** Gives a reserved submission back. */
export const giveBackReview = mutationOptions({
  mutationFn: async (submissionId: string) => {
    await answer(api.DELETE('/api/reviews/lease/{submissionId}', { params: { path: { submissionId } } }))
  },
  onSettled: (_data, _error, _id, _before, { client }) =>
    invalidate(client, submissionKeys.pending, reservedKey),
})

/** Corrects a review of the user's. */
export const correctReview = mutationOptions({
  mutationFn: async ({ id, ...grade }: Grade) => {
    await answer(api.PUT('/api/reviews/{id}', { params: { path: { id } }, body: grade }))
  },
})

/** Grades a submission; returns the known mark if it was an exemplar. A submission that another user graded first, or that is gone, also leaves the pending list. */
export const gradeSubmission = mutationOptions({
  mutationFn: async ({ id, ...grade }: Grade) => {
    const { data } = await answer(
      api.PATCH('/api/submissions/{id}', { params: { path: { id } }, body: grade }),
    )
    assertConfirmed(data?.modifiedCount)
    return data.exemplar
  },
  onSettled: (_data, error, { id }, _before, { client }) => {
    invalidate(client, reservedKey)
    if (error && !['already-graded', 'not-found'].some((code) => isProblem(error, code))) return
    client.setQueriesData<SubmissionPage<PendingSubmission>>(
      { queryKey: submissionKeys.pending },
      (page) => page && { ...page, rows: page.rows.filter((row) => row._id !== id) },
    )
    invalidateAll(client)
  },
})
