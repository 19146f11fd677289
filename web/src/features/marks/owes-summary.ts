import type { Owes } from './queries'

/** The numbers in one line: '3 of 12 have not handed in. 2 owe reviews. 4 submissions wait.' */
export function summaryOf(owes: Owes): string {
  const { people, notHandedIn, owingReviews, waiting, stuck } = owes
  const parts = [
    notHandedIn > 0 && `${notHandedIn} of ${people} ${notHandedIn === 1 ? 'has' : 'have'} not handed in.`,
    owingReviews > 0 && `${owingReviews === 1 ? '1 owes' : `${owingReviews} owe`} reviews.`,
    waiting > 0 &&
      `${waiting === 1 ? '1 submission waits' : `${waiting} submissions wait`} for reviews or a grade.`,
    stuck > 0 && `${stuck === 1 ? '1 is' : `${stuck} are`} stuck until you decide.`,
  ].filter((part) => part !== false)
  return parts.join(' ') || 'Nothing is owed.'
}
