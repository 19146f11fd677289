import { useLayoutEffect, useRef, type FocusEvent, type ReactNode } from 'react'
import { DataTable, ErrorState, Loading, Pages, type Column } from '@/components/ui'
import type { Resource } from '@/lib/cache'
import { explain } from '@/lib/problem'
import { useLastPage } from '@/lib/use-last-page'
import type { SubmissionPage } from './api'

interface SubmissionTableProps<Row> {
  title: string
  intro?: ReactNode
  loadingLabel: string
  /** What the table lists, for screen readers. */
  caption: string
  columns: readonly Column<Row>[]
  resource: Resource<SubmissionPage<Row>>
  page: number
  onPage: (page: number) => void
  onIntent: (page: number) => void
  /** Instead of a table without rows. */
  empty: ReactNode
}

/**
 * A heading with a paged table of submissions, which changes while people read it. Rows come and go in
 * place; when the row that had the focus goes, the one that took its place gets it.
 */
export function SubmissionTable<Row extends { _id: string }>(props: SubmissionTableProps<Row>) {
  const { title, intro, loadingLabel, caption, columns, resource, page, onPage, onIntent, empty } = props
  const { data, error, loading, retry } = resource
  const heading = useRef<HTMLHeadingElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const focused = useRef<{ id: string; index: number } | null>(null)
  const leadingOn = useLastPage(page, data?.totalPages)
  const rows = data?.rows

  function noteFocus({ target }: FocusEvent) {
    const index = rowElements(body.current).findIndex((row) => row.contains(target))
    const row = rows?.[index]
    focused.current = row ? { id: row._id, index } : null
  }

  useLayoutEffect(() => {
    const last = focused.current
    if (!last || rows?.some((row) => row._id === last.id)) return
    const active = document.activeElement
    // In a dialog: it comes back here when that closes.
    if (active?.closest('dialog')) return
    focused.current = null
    if (active && active !== document.body) return
    const left = rowElements(body.current)
    const next = left[Math.min(last.index, left.length - 1)]
    ;(next?.querySelector<HTMLElement>('button, a') ?? heading.current)?.focus()
  })

  return (
    <div className="page">
      <h1 ref={heading} tabIndex={-1} className={intro ? undefined : 'mb-8'}>
        {title}
      </h1>
      {intro}
      {(loading || leadingOn) && <Loading label={loadingLabel} fillsScreen />}
      {error !== null && <ErrorState message={explain(error)} onRetry={retry} />}
      {rows?.length === 0 && !leadingOn && empty}
      {rows && rows.length > 0 && (
        <div ref={body} onFocus={noteFocus}>
          <DataTable caption={caption} columns={columns} rows={rows} rowKey={idOf} />
        </div>
      )}
      {data && data.totalPages > 0 && (
        <Pages
          page={page}
          totalPages={data.totalPages}
          onPage={(next) => {
            onPage(next)
            heading.current?.focus()
          }}
          onIntent={onIntent}
        />
      )}
    </div>
  )
}

const idOf = ({ _id }: { _id: string }) => _id

const rowElements = (body: HTMLElement | null) =>
  Array.from(body?.querySelectorAll<HTMLElement>('tbody > tr') ?? [])
