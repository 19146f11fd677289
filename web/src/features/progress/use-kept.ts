import { useState } from 'react'
import type { Dashboard } from '@/entities/progress/queries'

type Due = Dashboard['due'][number]

/**
 * A row whose reminder the user switches off leaves the list of due assignments. It stays in place, to be switched on
 * again, until the user leaves the page.
 */
export function useKept(due: Due[] | undefined): { rows: Due[] | undefined; keep: (row: Due) => void } {
  const [kept, setKept] = useState<readonly Due[]>([])
  const known = new Set(due?.map(({ assignmentId }) => assignmentId))
  const rows = due && [...due, ...kept.filter(({ assignmentId }) => !known.has(assignmentId))]
  return {
    rows: rows?.toSorted((a, b) => Date.parse(a.dueDate) - Date.parse(b.dueDate)),
    keep: (row) =>
      setKept((before) => [...before.filter(({ assignmentId }) => assignmentId !== row.assignmentId), row]),
  }
}
