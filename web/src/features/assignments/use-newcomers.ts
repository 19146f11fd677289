import { useState } from 'react'
import { userEmail } from '@/lib/session'
import { pageSize, type Assignment } from './queries'

interface Newcomers {
  /** What the page shows: the latest answer without what came in since it was looked at. */
  shown: Assignment[]
  /** How many came in at the top. */
  count: number
  /** Shows them. */
  reveal: () => void
}

interface Held {
  /** Which page of which list. */
  of: string
  /** The newest that is shown. */
  newest: string
  /** What is shown, in its order: what newcomers push off the page stays where it is. */
  rows: readonly Assignment[]
}

const newestOf = (rows: readonly Assignment[]) =>
  rows.reduce((newest, { createdAt }) => (createdAt > newest ? createdAt : newest), '')

/**
 * Keeps cards from moving under the pointer: what others create while one looks at a list waits until one asks for
 * it. Changes and deletions show at once, and so do what one created oneself and what comes into an empty list. `settled` says that the answer is
 * not about to be replaced by what was asked for on arrival; until then everything is taken as it comes.
 */
export function useNewcomers(of: string, latest: Assignment[], settled: boolean): Newcomers {
  const [held, setHeld] = useState<Held | null>(null)
  const own = userEmail()
  const isNew = ({ createdAt, creatorEmail }: Assignment) =>
    held !== null && held.rows.length > 0 && createdAt > held.newest && creatorEmail !== own
  const waiting = held?.of === of ? latest.filter(isNew) : []

  if (waiting.length === 0) {
    const same = held?.of === of && held.rows === latest
    if (settled ? !same : held !== null && held.of !== of)
      setHeld(settled ? { of, newest: newestOf(latest), rows: latest } : null)
    return { shown: latest, count: 0, reveal: () => undefined }
  }
  const others = latest.filter((assignment) => !isNew(assignment))
  const there = new Set(others.map(({ _id }) => _id))
  const gone = held?.rows.filter(({ _id }) => !there.has(_id)) ?? []
  const pushedOff = latest.length === pageSize ? gone.slice(-waiting.length) : []
  return { shown: [...others, ...pushedOff], count: waiting.length, reveal: () => setHeld(null) }
}
