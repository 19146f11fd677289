import type { UseQueryResult } from '@tanstack/react-query'
import { useRef, type ComponentProps, type ReactNode } from 'react'
import { DataTable, ListPage, PageHead, type Column } from '@/components/ui'
import { useRowFocus } from '@/lib/use-row-focus'
import type { SubmissionPage } from '@/entities/submission/queries'

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
  /** Fetches a page that the user points at. */
  ahead?: (page: number) => unknown
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
    ahead,
    empty,
  } = props
  const heading = useRef<HTMLHeadingElement>(null)
  const { container, onFocus } = useRowFocus<HTMLDivElement>('tbody > tr', heading)
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
      <ListPage
        list={submissions}
        totalPages={submissions.data?.totalPages}
        loading={loadingLabel}
        fillsScreen
        heading={heading}
        {...(ahead && { ahead })}
      >
        {({ rows }) => (rows.length > 0 ? table(rows) : empty)}
      </ListPage>
    </div>
  )
}

const idOf = ({ _id }: { _id: string }) => _id
