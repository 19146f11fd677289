import { t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'

interface Gradable {
  _id: string
  status: string
  givenMark?: number
  marks: number
}

interface MarkNewsProps<Row> {
  rows: readonly Row[] | undefined
  /** The work or the person that the mark is for. */
  nameOf: (row: Row) => string
}

/** Announces marks that arrive in a table while it is open to screen readers; on screen, a circle is drawn around them. */
export function MarkNews<Row extends Gradable>({ rows, nameOf }: MarkNewsProps<Row>) {
  const waiting = useRef<ReadonlySet<string>>(new Set())
  const [news, setNews] = useState('')
  useEffect(() => {
    if (!rows) return
    const marked = rows.filter((row) => row.status === 'completed' && waiting.current.has(row._id))
    waiting.current = new Set(rows.filter((row) => row.status === 'pending').map((row) => row._id))
    if (marked.length === 0) return
    setNews(marked.map((row) => newsOf(nameOf(row), row)).join(' '))
  }, [rows, nameOf])
  return (
    <p role="status" className="sr-only">
      {news}
    </p>
  )
}

const newsOf = (name: string, { givenMark = 0, marks }: Gradable) =>
  t`${name}: ${givenMark} of ${marks} marks.`
