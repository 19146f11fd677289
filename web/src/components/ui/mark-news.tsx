import { useEffect, useRef, useState } from 'react'

interface Gradable {
  _id: string
  status: 'pending' | 'completed'
  givenMark?: number
  marks: number
}

interface MarkNewsProps<Row> {
  rows: readonly Row[] | undefined
  /** What the mark is for, or whose it is. */
  nameOf: (row: Row) => string
}

/** Tells screen readers of marks that arrive in a table while it is open; everybody else sees them being circled. */
export function MarkNews<Row extends Gradable>({ rows, nameOf }: MarkNewsProps<Row>) {
  const waiting = useRef<ReadonlySet<string>>(new Set())
  const [news, setNews] = useState('')
  useEffect(() => {
    if (!rows) return
    const marked = rows.filter((row) => row.status === 'completed' && waiting.current.has(row._id))
    waiting.current = new Set(rows.filter((row) => row.status === 'pending').map((row) => row._id))
    if (marked.length === 0) return
    setNews(marked.map((row) => `${nameOf(row)}: ${row.givenMark} of ${row.marks} marks.`).join(' '))
  }, [rows, nameOf])
  return (
    <p role="status" className="sr-only">
      {news}
    </p>
  )
}
