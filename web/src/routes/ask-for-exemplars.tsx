import type { Asks } from '@/features/assignments/published'
import { AskForExemplars } from '@/features/reviews/ask-for-exemplars'

/** With three reviews or more, exemplars are worth the effort. */
export const askForExemplars: Asks = ({ id, reviewsNeeded = 1, marks, rubric }) =>
  reviewsNeeded >= 3 && <AskForExemplars assignmentId={id} total={marks} rubric={rubric} />
