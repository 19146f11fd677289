import type { UseQueryResult } from '@tanstack/react-query'
import { useRef, type ComponentProps, type ReactNode } from 'react'
import { DataTable, ErrorState, Loading, PageHead, Pages, RefreshFailed, type Column } from '@/components/ui'
import { explain } from '@/lib/problem'
import { useRowFocus } from '@/lib/use-row-focus'
import { useRedirectPastEnd } from '@/lib/use-redirect-past-end'
import type { SubmissionPage } from './queries'

interface SubmissionTableProps<Row> {
  title: string
  intro: string
  art: ComponentProps<typeof PageHead>['art']
  /** It is a part of a page, which has a heading of its own. */
  part?: boolean
  /** Shown before the table. */
  notice?: ReactNode
  loadingLabel: string
  /** The table's accessible name. */
  caption: string
  columns: readonly Column<Row>[]
  submissions: UseQueryResult<SubmissionPage<Row>>
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
  const {
    title,
    intro,
    art,
    part = false,
    notice,
    loadingLabel,
    caption,
    columns,
    submissions,
    page,
    onPage,
    onIntent,
    empty,
  } = props
  const { data, error, isPending, refetch } = submissions
  const retry = () => void refetch()
  const heading = useRef<HTMLHeadingElement>(null)
  const { container, onFocus } = useRowFocus<HTMLDivElement>('tbody > tr', heading)
  const leadingOn = useRedirectPastEnd(page, data?.totalPages)
  const table = (rows: Row[]) => (
    <div ref={container} onFocus={onFocus}>
      {/* Feedback may have headings, which stand below one of the page's. */}
      <h2 className="sr-only">{caption}</h2>
      <DataTable caption={caption} columns={columns} rows={rows} rowKey={idOf} />
    </div>
  )

  return (
    <div className={part ? 'min-w-0' : 'page'}>
      {part ? (
        <div className="mb-5">
          <h2 ref={heading} tabIndex={-1}>
            {title}
          </h2>
          <p className="mt-1 max-w-prose text-soft">{intro}</p>
        </div>
      ) : (
        <PageHead title={title} art={art} heading={heading}>
          {intro}
        </PageHead>
      )}
      {notice}
      {(isPending || leadingOn) && <Loading label={loadingLabel} fillsScreen />}
      {error && !data && <ErrorState message={explain(error)} onRetry={retry} />}
      <RefreshFailed error={data && error} onRetry={retry} />
      {data && data.rows.length > 0 && table(data.rows)}
      {data && data.rows.length === 0 && !leadingOn && empty}
      {data && data.totalPages > 1 && (
        <div className="mt-8 min-h-11">
          <Pages
            page={page}
            totalPages={data.totalPages}
            onPage={(next) => {
              onPage(next)
              heading.current?.focus()
            }}
            onIntent={onIntent}
          />
        </div>
      )}
    </div>
  )
}

const idOf = ({ _id }: { _id: string }) => _id
