import { useRef } from 'react'
import {
  Badge,
  CircledMark,
  DataTable,
  EmptyState,
  ErrorState,
  LinkButton,
  Loading,
  Pages,
  type Column,
} from '@/components/ui'
import { useResource } from '@/lib/cache'
import { explain } from '@/lib/problem'
import { useBrand } from '@/lib/site'
import { useLastPage } from '@/lib/use-last-page'
import { useTitle } from '@/lib/use-title'
import { fetchMine, freshMs, mineKey, type OwnSubmission, type SubmissionPage } from './api'

const columns: Column<OwnSubmission>[] = [
  {
    header: 'Title',
    cell: (row) => <bdi className="font-semibold">{row.assignmentTitle || 'Untitled'}</bdi>,
  },
  {
    header: 'Status',
    cell: (row) => (
      <span className="flex flex-wrap gap-2">
        <Badge tone={row.status === 'completed' ? 'success' : 'quiet'}>{row.status}</Badge>
        {row.late && <Badge tone="warning">Late</Badge>}
      </span>
    ),
  },
  { header: 'Total Marks', cell: (row) => row.marks ?? '--', numeric: true },
  {
    header: 'Obtained Marks',
    cell: (row) =>
      row.givenMark == null ? (
        '--'
      ) : (
        <CircledMark seed={row._id} drawn className="font-display font-bold">
          {row.givenMark}
        </CircledMark>
      ),
    numeric: true,
  },
  {
    header: 'Feedback',
    cell: (row) => (
      <span dir="auto" className="block max-w-prose whitespace-pre-line">
        {row.feedback || '--'}
      </span>
    ),
  },
]

interface MySubmissionsProps {
  email: string
  page: number
  onPage: (page: number) => void
}

/** What the user handed in, newest first, with the marks it got. */
export function MySubmissions({ email, page, onPage }: MySubmissionsProps) {
  useTitle(`My Submitted Assignments | ${useBrand()}`)
  const heading = useRef<HTMLHeadingElement>(null)
  const { data, error, loading, retry } = useResource<SubmissionPage<OwnSubmission>>(
    mineKey(page),
    () => fetchMine(email, page),
    freshMs,
  )
  const leadingOn = useLastPage(page, data?.totalPages)
  return (
    <div className="page">
      <h1 ref={heading} tabIndex={-1} className="mb-8">
        My Submitted Assignments
      </h1>
      {(loading || leadingOn) && <Loading label="Loading your submissions" fillsScreen />}
      {error !== null && <ErrorState message={explain(error)} onRetry={retry} />}
      {data?.rows.length === 0 && !leadingOn && (
        <EmptyState message="No submitted assignments found." art="submitted">
          <LinkButton to="/assignments">Take your first one</LinkButton>
        </EmptyState>
      )}
      {data && data.rows.length > 0 && (
        <DataTable
          caption="What you handed in"
          columns={columns}
          rows={data.rows}
          rowKey={(row) => row._id}
        />
      )}
      {data && data.totalPages > 0 && (
        <Pages
          page={page}
          totalPages={data.totalPages}
          onPage={(next) => {
            onPage(next)
            heading.current?.focus()
          }}
        />
      )}
    </div>
  )
}
