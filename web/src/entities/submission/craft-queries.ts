import { mutationOptions, queryOptions, type QueryClient } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import type { components } from '@/api/schema.gen'
import { assertConfirmed } from '@/lib/assert-confirmed'
import { invalidate } from '@/lib/query'
import { reservedKey, submissionKeys } from '@/entities/submission/queries'

export type OwnDetail = components['schemas']['OwnSubmissionDetail']
export type ReviewerQuestion = components['schemas']['ReviewerQuestion']

/** A prefetched answer is used, an older one refetched. */
const freshMs = 2_000

const questionKey = (submissionId: string) => ['reviews', 'question', submissionId]

/** The user's own submission with its rubric, their judgement of it, and the questions of its reviewers. */
export const ownDetailQuery = (id: string) =>
  queryOptions({
    queryKey: [...submissionKeys.mine, 'detail', id],
    queryFn: async (): Promise<OwnDetail> => {
      const { data } = await answer(api.GET('/api/submissions/{id}/own', { params: { path: { id } } }))
      assertConfirmed(data?._id)
      return data
    },
    staleTime: freshMs,
    meta: { staleOn: ['own-submission'], subject: id },
  })

/** The user's question about a submission that they review, with its answer. */
export const questionQuery = (id: string) =>
  queryOptions({
    queryKey: questionKey(id),
    queryFn: async (): Promise<ReviewerQuestion> => {
      const { data } = await answer(api.GET('/api/submissions/{id}/question', { params: { path: { id } } }))
      assertConfirmed(data?.may)
      return data
    },
    staleTime: freshMs,
    meta: { staleOn: ['question.answered'], subject: id },
  })

/** Asks the submitter of a reserved submission, which prolongs the reservation. */
export const askSubmitter = mutationOptions({
  mutationFn: async ({ id, text }: { id: string; text: string }) => {
    await answer(api.POST('/api/submissions/{id}/question', { params: { path: { id } }, body: { text } }))
  },
  onSettled: (_data, _error, { id }, _before, { client }) => invalidate(client, questionKey(id), reservedKey),
})

const ownChanged = (client: QueryClient) => invalidate(client, submissionKeys.mine)

/** Answers a reviewer's question about the user's submission. */
export const answerReviewer = mutationOptions({
  mutationFn: async ({ id, ...body }: { id: string; questionId: string; text: string }) => {
    await answer(api.POST('/api/submissions/{id}/answer', { params: { path: { id } }, body }))
  },
  onSettled: (_data, _error, _input, _before, { client }) => ownChanged(client),
})

/** Stores how the user judges their own submission. */
export const assessOwn = mutationOptions({
  mutationFn: async ({ id, levels }: { id: string; levels: number[] }) => {
    await answer(
      api.PUT('/api/submissions/{id}/self-assessment', { params: { path: { id } }, body: { levels } }),
    )
  },
  onSettled: (_data, _error, _input, _before, { client }) => ownChanged(client),
})
