import { answer, api } from '@/api/client'
import type { components } from '@/api/schema.gen'
import { ensure, outdate, patch } from '@/lib/cache'
import { proven } from '@/lib/proof'

export type PendingSubmission = components['schemas']['PendingSubmission']
export type OwnSubmission = components['schemas']['OwnSubmission']

/** One page of submissions; the API says in a header how many there are in all. */
export interface SubmissionPage<Row> {
  rows: Row[]
  totalPages: number
}

const pageSize = 10

/** Others submit and grade all the time: what was fetched on the way to a page is used, anything older asked for again. */
export const freshMs = 2_000

export const pendingKey = (page: number) => `pending/${page}`
export const mineKey = (page: number) => `mine/${page}`

async function fetchPage(query: { status?: 'pending'; submittedBy?: string }, page: number) {
  const { data, response } = await answer(
    api.GET('/api/submissions', { params: { query: { ...query, page, limit: pageSize } } }),
  )
  proven(Array.isArray(data) && data.every(Boolean))
  const total = Number(response.headers.get('X-Total-Count')) || data.length
  return { rows: data, totalPages: Math.ceil(total / pageSize) }
}

// The document cannot tie the kind of row to the query: pending ones come with `status=pending`, else own ones.
export function fetchPending(page: number): Promise<SubmissionPage<PendingSubmission>> {
  return fetchPage({ status: 'pending' }, page) as Promise<SubmissionPage<PendingSubmission>>
}

export function fetchMine(email: string, page: number): Promise<SubmissionPage<OwnSubmission>> {
  return fetchPage({ submittedBy: email }, page)
}

export function preloadPending(page: number): Promise<void> {
  return ensure(pendingKey(page), () => fetchPending(page), freshMs)
}

export function preloadMine(email: string, page: number): Promise<void> {
  return ensure(mineKey(page), () => fetchMine(email, page), freshMs)
}

export async function submitWork(work: {
  assignmentId: string
  docsLink: string
  note: string
}): Promise<void> {
  const { data } = await answer(api.POST('/api/submissions', { body: work }))
  proven(data?.insertedId)
  outdatePending()
  outdateMine()
}

/** Changes one's own submission while it waits for its mark. */
export async function changeWork(id: string, work: { docsLink: string; note: string }): Promise<void> {
  try {
    await answer(api.PUT('/api/submissions/{id}/own', { params: { path: { id } }, body: work }))
    outdatePending()
  } finally {
    outdateMine()
  }
}

/** Takes one's own submission back while it waits for its mark. */
export async function withdrawWork(id: string): Promise<void> {
  try {
    const { data } = await answer(api.DELETE('/api/submissions/{id}/own', { params: { path: { id } } }))
    proven(data?.deletedCount)
    forgetPending(id)
  } finally {
    outdateMine()
  }
}

/** Somebody handed in, changed, withdrew or graded. */
export function outdatePending(): void {
  outdate('pending/')
}

/** Something happened to one of the user's own submissions. */
export function outdateMine(): void {
  outdate('mine/')
}

export async function gradeSubmission(id: string, grade: { marks: number; feedback: string }): Promise<void> {
  const { data } = await answer(api.PATCH('/api/submissions/{id}', { params: { path: { id } }, body: grade }))
  proven(data?.modifiedCount)
}

/** Takes a graded submission out of the pending list, which is filled up again from the server. */
export function forgetPending(id: string): void {
  patch<SubmissionPage<PendingSubmission>>('pending/', (page) => ({
    ...page,
    rows: page.rows.filter((row) => row._id !== id),
  }))
  outdatePending()
  outdateMine()
}
