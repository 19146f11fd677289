import type { Scale } from './settle'

/** A submission with at least one review, at most one by each reviewer. */
export interface Submission {
  assignment: string
  total: number
  /** The mark of an exemplar. */
  known?: number
  reviews: readonly { reviewer: string; mark: number }[]
}

/** A submission's mark. Mean and median have no interval and judge no review. */
export interface Graded {
  estimate: number
  mark: number
  interval?: { low: number; high: number; open: number }
  usualMark?: number
  scale?: Scale
  judged?: Judged[]
}

/** A model's view of a review: the reviewer's strictness, an angle, a weight, and whether the reviewer looks. */
export interface Judged {
  strictness: number
  weight: number
  /** SC1 does not estimate it. */
  looked?: number
}
