import type { CircleMarks, MarkCell, MarkColumn, MarkRow } from './queries'

/** How many of a member's cells need attention: nothing handed in after the due date, or reviews owed. */
function needsOf(row: MarkRow, columns: readonly MarkColumn[], now: number): number {
  if (row.role !== 'member') return 0
  return row.cells.filter((cell, at) => {
    const column = columns[at]
    return column && (isMissing(cell, column, now) || owesReviews(cell))
  }).length
}

/** Nothing was handed in, and the due date has passed. */
export const isMissing = ({ state }: MarkCell, { dueDate }: MarkColumn, now: number) =>
  state === 'open' && Date.parse(dueDate) < now

export const owesReviews = ({ reviewsGiven = 0, reviewsOwed = 0 }: MarkCell) => reviewsGiven < reviewsOwed

/** The rows, those with the most needs first; otherwise in their order. */
export const byNeed = ({ data, assignments }: CircleMarks, now: number): MarkRow[] =>
  data.toSorted((a, b) => needsOf(b, assignments, now) - needsOf(a, assignments, now))
