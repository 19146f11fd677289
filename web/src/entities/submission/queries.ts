import { t } from '@lingui/core/macro'
import { queryOptions } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import type { components } from '@/api/schema.gen'
import { assertConfirmed } from '@/lib/assert-confirmed'
import { oneOf, pageNumber, searchParams, words } from '@/lib/search-params'

type Schemas = components['schemas']

/**
 * A row of the pending list: a submission, or, with `reviewable`, all submissions for an assignment that are open to
 * review. Where an assignment has several reviews, submitters are anonymous: `submittedBy` is empty.
 */
export type PendingSubmission = Schemas['PendingSubmission'] & { reviewable?: number }
type PendingRow = Schemas['PendingSubmission'] | Schemas['ReviewableAssignment'] | Schemas['BlindSubmission']
/** A submission that is reserved for the user to review. */
export type ReviewTask = Schemas['ReviewTask']
/** A review of the user's that they may still correct. */
export type CorrectableReview = Schemas['CorrectableReview']
/** The submission that is reserved for the user, without its content. */
export type ReservedReview = Schemas['ReservedReview']
export type Rubric = Schemas['Rubric']
/** The known mark of sample work, for a user who has reviewed it. */
export type Exemplar = Schemas['KnownExemplar']
export type OwnSubmission = components['schemas']['OwnSubmission']

/** The part of a submission that its submitter may change until it is graded. */
export interface SubmissionInput {
  docsLink: string
  note: string
}

/** One page of submissions. The API has the total in a header. */
export interface SubmissionPage<Row> {
  rows: Row[]
  totalPages: number
}

const pageSize = 10
/** As many as the API gives at once. */
const pendingAtOnce = 100

/** Other users submit and grade all the time: a prefetched answer is used, an older one refetched. */
const freshMs = 2_000

export const reservedKey = ['reviews', 'lease']

export const submissionKeys = {
  pending: ['submissions', 'pending'],
  mine: ['submissions', 'mine'],
}

/** The submissions of the hall, or of a circle, that wait for a grade, oldest first. */
export const pendingQuery = (page: number, circle?: string) =>
  queryOptions({
    queryKey: [...submissionKeys.pending, ...(circle ? [circle] : []), page],
    queryFn: () => fetchPending(page, circle),
    staleTime: freshMs,
    meta: {
      ...(!circle && { boot: 'pending' }),
      staleOn: ['submission.pending', 'submission.changed', 'submission.withdrawn', 'submission.graded'],
    },
  })

/** The submission that is reserved for the user, in any browser; null where there is none. */
export const reservedQuery = queryOptions({
  queryKey: reservedKey,
  queryFn: async () => (await answer(api.GET('/api/reviews/lease'))).data ?? null,
  staleTime: freshMs,
  meta: { staleOn: [] },
})

/** A review of the user's with its work, to correct it. */
export const correctableQuery = (id: string) =>
  queryOptions({
    queryKey: ['reviews', 'correctable', id],
    queryFn: async () => {
      const { data } = await answer(api.GET('/api/reviews/{id}', { params: { path: { id } } }))
      assertConfirmed(data?._id)
      return data
    },
    staleTime: 0,
    meta: { staleOn: [] },
  })

type OwnStatus = OwnSubmission['status']

export const mineParams = searchParams({
  status: oneOf<OwnStatus>('pending', 'completed', 'sent-back', 'withdrawn'),
  search: words(200),
  page: pageNumber,
})

type MineQuery = ReturnType<typeof mineParams.read>

/** One user's submissions, newest first: all, or those with a status or with words in their titles. */
export const mineQuery = (email: string, { page, status, search }: MineQuery) =>
  queryOptions({
    queryKey: [...submissionKeys.mine, email, page, ...(status || search ? [status, search] : [])],
    queryFn: () => fetchMine(email, page, { ...(status && { status }), ...(search && { search }) }),
    staleTime: freshMs,
    meta: { boot: 'mine', staleOn: ['own-submission'] },
  })

/**
 * A user's ungraded submissions, of which an assignment has at most one. Of more than a hundred, the newest.
 */
export const ownPendingQuery = (email: string) =>
  queryOptions({
    queryKey: [...submissionKeys.mine, email, 'pending'],
    queryFn: async () =>
      (await fetchPage({ submittedBy: email, status: 'pending' }, 1, pendingAtOnce)).rows as OwnSubmission[],
    staleTime: freshMs,
    meta: { staleOn: ['own-submission'] },
  })

async function fetchPage(
  query: { status?: OwnStatus; search?: string; submittedBy?: string; circle?: string },
  page: number,
  limit: number = pageSize,
) {
  const { data, response } = await answer(
    api.GET('/api/submissions', { params: { query: { ...query, page, limit } } }),
  )
  assertConfirmed(Array.isArray(data) && data.every(Boolean))
  const total = Number(response.headers.get('X-Total-Count')) || data.length
  return { rows: data, totalPages: Math.ceil(total / limit) }
}

// The document cannot tie the kind of row to the query: pending ones come with `status=pending`, else own ones.
async function fetchPending(page: number, circle?: string): Promise<SubmissionPage<PendingSubmission>> {
  const { rows, totalPages } = await fetchPage({ status: 'pending', ...(circle && { circle }) }, page)
  return { rows: (rows as PendingRow[]).map(asSubmission), totalPages }
}

function fetchMine(
  email: string,
  page: number,
  wanted: { status?: OwnStatus; search?: string },
): Promise<SubmissionPage<OwnSubmission>> {
  return fetchPage({ submittedBy: email, ...wanted }, page) as Promise<SubmissionPage<OwnSubmission>>
}

/** Withheld fields of a submission are empty. */
function asSubmission(row: PendingRow): PendingSubmission {
  if (row.submittedBy !== null) return row as PendingSubmission
  const withheld = { _id: `reviews ${row.assignmentId}`, docsLink: '', submittedAt: '', late: false }
  return { ...withheld, ...row, submittedBy: '' }
}

/** A submission to review, as the list has those to grade. */
export function submissionOf(task: ReviewTask | CorrectableReview): PendingSubmission {
  const { submissionId, assignmentId, assignmentTitle, label, docsLink, note, marks } = task
  const withheld = { submittedBy: t`Unknown`, submittedAt: '', late: false, status: 'pending' as const }
  return {
    _id: submissionId,
    assignmentId,
    assignmentTitle,
    submitterName: label,
    docsLink,
    marks,
    ...(note && { note }),
    ...withheld,
  }
}
