import { HttpResponse, http } from 'msw'
import { page } from 'vitest/browser'

/** Serves the pending list. */
export const pendingList = (...rows: object[]) => http.get('*/api/submissions', () => HttpResponse.json(rows))

/** The row of an assignment with several reviews. */
export const openToReview = {
  assignmentId: 'a1',
  assignmentTitle: 'Fractions in short',
  marks: 20,
  status: 'pending',
  submittedBy: null,
  reviewable: 2,
}

/** The submission that the user gets to review. */
export const reviewTask = {
  submissionId: 'r1',
  assignmentId: 'a1',
  assignmentTitle: 'Fractions in short',
  description: 'Say what you think.',
  label: 'Heron',
  docsLink: 'https://docs.google.com/document/d/1',
  marks: 20,
  until: '2099-02-03T04:05:06Z',
}

/** The viewer's progress with the assignment while submissions are left to review. */
export const reviewsToGive = (left: number) => ({
  assignmentId: 'a1',
  reviewsGiven: 2 - left,
  reviewsOwed: 2,
  reviewsLeft: Math.min(left, 2),
  reviewsAvailable: left,
})

export const markDialog = page.getByRole('dialog', { name: 'Mark Assignment' })
