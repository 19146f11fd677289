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

/** The server counts no further. */
const countedTo = 100

/** How many submissions wait, as far as they are counted. */
export const countText = (count: number): string => (count >= countedTo ? `${countedTo - 1}+` : `${count}`)

/** The reader's day of an instant: '2026/11/28'. */
export const dayText = (instant: string): string => formatDay(dayOfDate(new Date(instant)))

const of = (count: number, text = `${count}`) => `${text} ${count === 1 ? 'submission' : 'submissions'}`

/** The owed reviews, their deadline and progress: 'review 3 submissions by 2026/11/28. 0 of 3 given.' */
function owedText({ given, owed, by }: Turn): string {
  return `review ${of(owed)}${by ? ` by ${dayText(by)}` : ''}. ${given} of ${given + owed} given.`
}

/** The viewer's next step; '' if there is nothing to do or to wait for. */
export function turnText(turn: Turn): string {
  const { given, owed, available, heldUntil } = turn
  const held = heldUntil ? ` One is reserved for you until ${dayText(heldUntil)}.` : ''
  if (owed > 0 && available > 0) {
    const fewer =
      available < owed ? ` ${available === 1 ? 'One waits' : `${available} wait`} for you now.` : ''
    return `Your turn: ${owedText(turn)}${fewer}${held}`
  }
  if (owed > 0) return `You still owe reviews: ${owedText(turn)} None waits for you now.`
  if (available === 0) return ''
  const more = `${of(available, countText(available))} ${available === 1 ? 'waits' : 'wait'} for a review.`
  return given > 0 ? `You have given your reviews, ${given} in all. ${more}${held}` : `${more}${held}`
}
