import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Badge, Button, Email, EmptyState, LinkButton, lazyDialog, type Column } from '@/components/ui'
import { useUser } from '@/lib/session'
import { If, or, same } from '@/lib/template'
import { pendingQuery, type PendingSubmission } from './queries'
import { SubmissionTable } from './submission-table'

const markDialog = lazyDialog('Mark Assignment', () => import('./mark-dialog'))

interface PendingListProps {
  page: number
  onPage: (page: number) => void
}

function columnsFor(
  email: string | undefined,
  onMark: (row: PendingSubmission) => void,
): Column<PendingSubmission>[] {
  return [
    {
      header: 'Title',
      cell: (row) => <bdi className="font-semibold">{or(row.assignmentTitle, 'Untitled')}</bdi>,
    },
    { header: 'Marks', cell: (row) => or<number | string>(row.marks, 'N/A'), numeric: true },
    {
      header: 'Examinee',
      cell: (row) => (
        <span className="flex flex-wrap items-center gap-2">
          <Email address={or(row.submittedBy, 'Unknown')} />
          <If value={row.late}>
            <Badge tone="warning">Late</Badge>
          </If>
        </span>
      ),
    },
    {
      header: 'Action',
      cell: (row) => (
        <If
          value={same(row.submittedBy, email)}
          otherwise={
            <Button size="sm" variant="quiet" onClick={() => onMark(row)}>
              Give Mark
            </Button>
          }
        >
          <span className="text-soft">Own Submission</span>
        </If>
      ),
    },
  ]
}

/** Everyone's submissions that wait for a grade, oldest first. */
export function PendingList({ page, onPage }: PendingListProps) {
  const email = useUser()?.email
  const [marking, setMarking] = useState<PendingSubmission | null>(null)
  const submissions = useQuery(pendingQuery(page))
  const client = useQueryClient()
  const columns = useMemo(() => columnsFor(email, setMarking), [email])

  return (
    <>
      <SubmissionTable
        title="Pending Assignments"
        intro={
          <p className="mt-3 mb-8 max-w-prose text-soft">
            Read what a friend handed in, give it a mark, and say what you liked.
          </p>
        }
        loadingLabel="Loading pending assignments"
        caption="Submissions waiting for a grade"
        columns={columns}
        submissions={submissions}
        page={page}
        onPage={onPage}
        onIntent={(next) => void client.prefetchQuery(pendingQuery(next))}
        empty={
          <EmptyState message="No pending assignments found." art="pending">
            <LinkButton to="/assignments">Find one to take</LinkButton>
          </EmptyState>
        }
      />
      {marking && <markDialog.Dialog submission={marking} onClose={() => setMarking(null)} />}
    </>
  )
}
