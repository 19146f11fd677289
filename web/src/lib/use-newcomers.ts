import { useState } from 'react'

interface Newcomers<Row> {
  /** The rows shown: the latest answer without later additions. */
  shown: Row[]
  /** How many rows wait at the top. */
  count: number
  /** Shows them. */
  reveal: () => void
}

interface Held<Row> {
  /** Which page of which list. */
  of: string
  /** The newest that is shown. */
  newest: string
  /** The rows shown, in order: rows that newcomers push off the page keep their position. */
  rows: readonly Row[]
}

/** Functions that read a list's rows; constant, so declared outside components. */
export interface RowFacts<Row> {
  /** When the row was added, as text that sorts by time. */
  cameAt: (row: Row) => string
  /** Whether the user added the row. */
  isOwn: (row: Row) => boolean
  /** Whether the row is known to be deleted: answers no longer contain rows pushed off the page. */
  isDeleted?: (row: Row) => boolean
  /** Rows on a page. */
  pageSize: number
}

/**
 * Keeps rows from moving under the pointer: rows that others add wait until the user asks for them. Changes, deletions,
 * the user's own additions and rows for an empty list show at once. Until `settled`, while the answer to the request
 * made on arrival is pending, every answer is shown as it is.
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
