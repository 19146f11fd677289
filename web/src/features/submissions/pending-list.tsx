import { Suspense, lazy, useRef, useState } from 'react'
import {
  Badge,
  Button,
  DataTable,
  Email,
  EmptyState,
  ErrorState,
  LinkButton,
  Loading,
  Pages,
  type Column,
} from '@/components/ui'
import { useResource } from '@/lib/cache'
import { explain } from '@/lib/problem'
import { useUser } from '@/lib/session'
import { useBrand } from '@/lib/site'
import { useLastPage } from '@/lib/use-last-page'
import { useTitle } from '@/lib/use-title'
import { fetchPending, freshMs, pendingKey, type PendingSubmission, type SubmissionPage } from './api'

const MarkDialog = lazy(() => import('./mark-dialog'))

interface PendingListProps {
  page: number
  onPage: (page: number) => void
}

/** Everyone's submissions that wait for a grade, oldest first. */
export function PendingList({ page, onPage }: PendingListProps) {
  useTitle(`Pending Assignments | ${useBrand()}`)
  const email = useUser()?.email
  const heading = useRef<HTMLHeadingElement>(null)
  const [marking, setMarking] = useState<PendingSubmission | null>(null)
  const { data, error, loading, retry } = useResource<SubmissionPage<PendingSubmission>>(
    pendingKey(page),
    () => fetchPending(page),
    freshMs,
  )

  const leadingOn = useLastPage(page, data?.totalPages)

  /** After a row is gone, focus goes to the one that took its place, or to the heading. */
  function afterRemoval(index: number) {
    setMarking(null)
    requestAnimationFrame(() => {
      const buttons = document.querySelectorAll<HTMLElement>('[data-give-mark]')
      ;(buttons[Math.min(index, buttons.length - 1)] ?? heading.current)?.focus()
    })
  }

  const columns: Column<PendingSubmission>[] = [
    {
      header: 'Title',
      cell: (row) => <bdi className="font-semibold">{row.assignmentTitle || 'Untitled'}</bdi>,
    },
    { header: 'Marks', cell: (row) => row.marks ?? 'N/A', numeric: true },
    {
      header: 'Examinee',
      cell: (row) => (
        <span className="flex flex-wrap items-center gap-2">
          <Email address={row.submittedBy || 'Unknown'} />
          {row.late && <Badge tone="warning">Late</Badge>}
        </span>
      ),
    },
    {
      header: 'Action',
      cell: (row) =>
        row.submittedBy === email ? (
          <span className="text-soft">Own Submission</span>
        ) : (
          <Button size="sm" variant="quiet" data-give-mark onClick={() => setMarking(row)}>
            Give Mark
          </Button>
        ),
    },
  ]

  return (
    <div className="page">
      <h1 ref={heading} tabIndex={-1}>
        Pending Assignments
      </h1>
      <p className="mt-3 mb-8 max-w-prose text-soft">
        Read what a friend handed in, give it a mark, and say what you liked.
      </p>
      {(loading || leadingOn) && <Loading label="Loading pending assignments" fillsScreen />}
      {error !== null && <ErrorState message={explain(error)} onRetry={retry} />}
      {data?.rows.length === 0 && !leadingOn && (
        <EmptyState message="No pending assignments found." art="pending">
          <LinkButton to="/assignments">Find one to take</LinkButton>
        </EmptyState>
      )}
      {data && data.rows.length > 0 && (
        <DataTable
          caption="Submissions waiting for a grade"
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
      {marking && (
        <Suspense>
          <MarkDialog
            submission={marking}
            onClose={() => setMarking(null)}
            onGone={() => afterRemoval(data?.rows.findIndex((row) => row._id === marking._id) ?? 0)}
          />
        </Suspense>
      )}
    </div>
  )
}
