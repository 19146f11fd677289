import { useState } from 'react'

interface Newcomers<Row> {
  /** What the page shows: the latest answer without what came in since it was looked at. */
  shown: Row[]
  /** How many came in at the top. */
  count: number
  /** Shows them. */
  reveal: () => void
}

interface Held<Row> {
  /** Which page of which list. */
  of: string
  /** The newest that is shown. */
  newest: string
  /** What is shown, in its order: what newcomers push off the page stays where it is. */
  rows: readonly Row[]
}

/** What has to be known of the rows of a list. Said once, outside of components. */
export interface RowFacts<Row> {
  /** When it came, as text that sorts by time. */
  cameAt: (row: Row) => string
  /** Whether it is the reader's own doing, and so no surprise. */
  isOwn: (row: Row) => boolean
  /** Whether it is known to be gone: what newcomers push off the page is in no answer that could tell. */
  isDeleted?: (row: Row) => boolean
  /** Rows on a page. */
  pageSize: number
}

/**
 * Keeps rows from moving under the pointer: what others add while one looks at a list waits until one asks for
 * it. Changes and deletions show at once, and so do one's own additions and what comes into an empty list. `settled` says that the answer is
 * not about to be replaced by what was asked for on arrival; until then everything is taken as it comes.
 */
export function useNewcomers<Row extends { _id: string }>(
  of: string,
  latest: Row[],
  settled: boolean,
  { cameAt, isOwn, isDeleted, pageSize }: RowFacts<Row>,
): Newcomers<Row> {
  const [held, setHeld] = useState<Held<Row> | null>(null)
  const isNew = (row: Row) =>
    held !== null && held.rows.length > 0 && cameAt(row) > held.newest && !isOwn(row)
  const waiting = held?.of === of ? latest.filter(isNew) : []

  if (waiting.length === 0) {
    const same = held?.of === of && held.rows === latest
    if (settled ? !same : held !== null && held.of !== of)
      setHeld(settled ? { of, newest: newest(latest.map(cameAt)), rows: latest } : null)
    return { shown: latest, count: 0, reveal: () => undefined }
  }
  const others = latest.filter((row) => !isNew(row))
  const there = new Set(others.map(({ _id }) => _id))
  const missing = held?.rows.filter(({ _id }) => !there.has(_id)) ?? []
  const pushedOff = latest.length === pageSize ? missing.slice(-waiting.length) : []
  return {
    shown: [...others, ...pushedOff.filter((row) => !isDeleted?.(row))],
    count: waiting.length,
    reveal: () => setHeld(null),
  }
}

const newest = (times: readonly string[]) =>
  times.reduce((latest, time) => (time > latest ? time : latest), '')
