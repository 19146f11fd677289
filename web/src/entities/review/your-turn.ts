import { plural, t } from '@lingui/core/macro'
import { dayOfDate, formatDay } from '@/lib/dates'

/** The reviews that the viewer can give for an assignment with several reviews, and owes. */
export interface Turn {
  given: number
  owed: number
  available: number
  /** The instant at which the server settles submissions that still lack reviews. */
  by?: string | undefined
  /** An instant: until when one of them is reserved for the viewer. */
  heldUntil?: string | undefined
}

/** The reader's day of an instant: '2026/11/28'. */
export const dayText = (instant: string): string => formatDay(dayOfDate(new Date(instant)))

/**
 * The viewer's next step, in whole sentences; '' if there is nothing to do or to wait for. What is available has no
 * number: beside what is owed, it would tell how many exemplars are among it.
 */
export function turnText({ given, owed, available, by, heldUntil }: Turn): string {
  const day = by && dayText(by)
  const progress = t`${given} of ${{ total: given + owed }} given.`
  const held = heldUntil && t`One is reserved for you until ${{ day: dayText(heldUntil) }}.`
  if (owed > 0) {
    return inARow(yourTurn(owed, day), progress, held)
  }
  const done = given > 0 && t`You have given your reviews, ${given} in all.`
  if (available === 0) return done ? inARow(done, t`No more work to review.`) : ''
  return inARow(done, t`There is work for you to review.`, held)
}

const inARow = (...sentences: (string | false | undefined)[]) => sentences.filter(Boolean).join(' ')

function yourTurn(owed: number, day: string | undefined): string {
  if (!day)
    return plural(owed, { one: 'Your turn: review # submission.', other: 'Your turn: review # submissions.' })
  return plural(owed, {
    one: `Your turn: review # submission by ${day}.`,
    other: `Your turn: review # submissions by ${day}.`,
  })
}
