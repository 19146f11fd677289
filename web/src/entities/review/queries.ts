import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import type { components } from '@/api/schema.gen'
import { assertConfirmed } from '@/lib/assert-confirmed'
import { isProblem } from '@/lib/problem'
import type { PublicKeys } from '@/lib/receipt/verify'

export type MarkExplanation = components['schemas']['MarkExplanation']
export type ReceivedReviews = components['schemas']['ReceivedReviews']
export type ReviewVersion = components['schemas']['ReviewVersion']
export type GivenReview = components['schemas']['GivenReview']

/** A page of the user's own reviews. */
const givenAtOnce = 20
/** A prefetched answer is used, an older one refetched. */
const freshMs = 2_000

const reviewKeys = {
  /** How marks were made, and of what. */
  received: ['reviews', 'received'],
  mark: (id: string) => [...reviewKeys.received, id, 'mark'],
  reviews: (id: string) => [...reviewKeys.received, id, 'reviews'],
  corrections: (id: string) => [...reviewKeys.received, id, 'corrections'],
  given: ['reviews', 'given'],
}

/** How a submission got its mark; null where there is nothing of that to read. */
export const markQuery = (id: string) =>
  queryOptions({
    queryKey: reviewKeys.mark(id),
    queryFn: async (): Promise<MarkExplanation | null> => {
      try {
        return (await answer(api.GET('/api/submissions/{id}/mark', { params: { path: { id } } }))).data
      } catch (error) {
        if (isProblem(error, 'not-found')) return null
        throw error
      }
    },
    staleTime: freshMs,
    meta: { staleOn: [], derived: true },
  })

/** The signed receipt of a submission's mark, byte by byte. */
export const fetchReceipt = async (id: string): Promise<ArrayBuffer> =>
  (
    await answer(
      api.GET('/api/submissions/{id}/receipt', { params: { path: { id } }, parseAs: 'arrayBuffer' }),
    )
  ).data

/** The keys by which this server's receipts are checked. */
export const fetchReceiptKeys = async (): Promise<PublicKeys> =>
  (await answer(api.GET('/.well-known/studycircle-keys'))).data as unknown as PublicKeys

/** The reviews of a submission, once it is settled. */
export const reviewsQuery = (id: string) =>
  queryOptions({
    queryKey: reviewKeys.reviews(id),
    queryFn: async (): Promise<ReceivedReviews> => {
      const { data } = await answer(api.GET('/api/submissions/{id}/reviews', { params: { path: { id } } }))
      assertConfirmed(Array.isArray(data?.data))
      return data
    },
    staleTime: freshMs,
    meta: { staleOn: [], derived: true },
  })

/** What the reviews of a settled submission said before they were corrected, for those who read the results. */
export const correctionsQuery = (id: string) =>
  queryOptions({
    queryKey: reviewKeys.corrections(id),
    queryFn: async (): Promise<ReviewVersion[]> => {
      const { data } = await answer(
        api.GET('/api/submissions/{id}/corrections', { params: { path: { id } } }),
      )
      assertConfirmed(Array.isArray(data?.data))
      return data.data
    },
    staleTime: freshMs,
    meta: { staleOn: [], derived: true },
  })

/** The user's own reviews, newest first. */
export const givenQuery = (page: number) =>
  queryOptions({
    queryKey: [...reviewKeys.given, page],
    queryFn: async () => {
      const { data } = await answer(
        api.GET('/api/reviews', { params: { query: { page, limit: givenAtOnce } } }),
      )
      assertConfirmed(Array.isArray(data?.data))
      return data
    },
    staleTime: freshMs,
    meta: { staleOn: [], derived: true },
  })

/** Requests two more reviews of the user's own submission, once; resolves to whether its creator decides instead. */
export const appeal = mutationOptions({
  mutationFn: async ({ id, reason }: { id: string; reason: string }) => {
    const { data } = await answer(
      api.POST('/api/submissions/{id}/appeal', { params: { path: { id } }, body: { reason } }),
    )
    return data?.creatorDecides === true
  },
})

interface Reply {
  submissionId: string
  reviewId: string
  helpful: boolean
  reply: string
}

/** Records whether a review of the user's work helped. */
export const replyToReview = mutationOptions({
  mutationFn: async ({ reviewId, helpful, reply }: Reply) => {
    await answer(
      api.PUT('/api/reviews/{id}/reply', { params: { path: { id: reviewId } }, body: { helpful, reply } }),
    )
  },
  onSuccess: (_data, { submissionId, reviewId, helpful, reply }, _before, { client }) =>
    client.setQueryData<ReceivedReviews>(
      reviewKeys.reviews(submissionId),
      (reviews) =>
        reviews && {
          ...reviews,
          data: reviews.data.map((review) =>
            review._id === reviewId ? { ...review, helpful, reply } : review,
          ),
        },
    ),
})
