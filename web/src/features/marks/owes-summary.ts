import type { Owes } from './queries'

/** The numbers in one line: '3 of 12 have not handed in. 2 owe reviews. 4 submissions wait for reviews or a grade.' */
export function summaryOf({ people, notHandedIn, owingReviews, waiting, stuck }: Owes): string {
  const sentences = [
    notHandedIn > 0 && notHandedInText(notHandedIn, people),
    owingReviews > 0 && owingText(owingReviews),
    waiting > 0 && waitingText(waiting),
    stuck > 0 && stuckText(stuck),
  ]
  return sentences.filter(Boolean).join(' ') || 'Nothing is owed.'
}

const notHandedInText = (n: number, people: number) =>
  n === 1 ? `1 of ${people} has not handed in.` : `${n} of ${people} have not handed in.`

const owingText = (n: number) => (n === 1 ? '1 owes reviews.' : `${n} owe reviews.`)

const waitingText = (n: number) =>
  n === 1 ? '1 submission waits for reviews or a grade.' : `${n} submissions wait for reviews or a grade.`

const stuckText = (n: number) =>
  n === 1 ? '1 is stuck until you decide.' : `${n} are stuck until you decide.`
