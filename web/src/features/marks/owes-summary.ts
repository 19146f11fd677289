import { plural, t } from '@lingui/core/macro'
import type { Owes } from './queries'

/** The numbers in one line: '3 of 12 have not handed in. 2 owe reviews. 4 submissions wait for reviews or a grade.' */
export function summaryOf({ people, notHandedIn, owingReviews, waiting, stuck }: Owes): string {
  const sentences = [
    notHandedIn > 0 && notHandedInText(notHandedIn, people),
    owingReviews > 0 && owingText(owingReviews),
    waiting > 0 && waitingText(waiting),
    stuck > 0 && stuckText(stuck),
  ]
  return sentences.filter(Boolean).join(' ') || t`Nothing is owed.`
}

const notHandedInText = (n: number, people: number) =>
  plural(n, { one: `# of ${people} has not handed in.`, other: `# of ${people} have not handed in.` })

const owingText = (n: number) => plural(n, { one: '# owes reviews.', other: '# owe reviews.' })

const waitingText = (n: number) =>
  plural(n, {
    one: '# submission waits for reviews or a grade.',
    other: '# submissions wait for reviews or a grade.',
  })

const stuckText = (n: number) =>
  plural(n, { one: '# is stuck until you decide.', other: '# are stuck until you decide.' })
