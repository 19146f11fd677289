import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import {
  AppLink,
  Badge,
  Button,
  DueDate,
  EmptyState,
  LinkButton,
  Person,
  lazyDialog,
  type Column,
} from '@/components/ui'
import { useUser } from '@/lib/session'
import { If, or, same } from '@/lib/template'
import { AssignmentTitle } from './assignment-title'
import { pendingQuery, type PendingSubmission } from './queries'
import { SubmissionTable } from './submission-table'

const markDialog = lazyDialog('Mark Assignment', () => import('./mark-dialog'), 'desk')

interface PendingListProps {
  page: number
  onPage: (page: number) => void
  /** The submission with which to begin at once. */
  wanted: string | undefined
  /** Shows what an assignment asks for. */
  taskOf: (assignmentId: string | undefined) => ReactNode
}

function columnsFor(
  email: string | undefined,
  onMark: (row: PendingSubmission) => void,
): Column<PendingSubmission>[] {
  return [
    {
      header: 'Title',
      card: 'heading',
      cell: (row) => (
        <>
          <AssignmentTitle submission={row} linked={row.dueDate} />
          <p className="text-sm text-soft">
            <If value={row.dueDate} otherwise="Its assignment is gone.">
              {(dueDate) => (
                <>
                  Due <DueDate instant={dueDate} />
                </>
              )}
            </If>
          </p>
        </>
      ),
    },
    { header: 'Marks', cell: (row) => or<number | string>(row.marks, 'N/A'), numeric: true },
    {
      header: 'Examinee',
      className: 'lg:min-w-72',
      card: 'row',
      cell: (row) => (
        <span className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Person
            name={row.submitterName}
            email={or(row.submittedBy, 'Unknown')}
            photoURL={row.submitterPhoto}
          />
          <If value={row.late}>
            <Badge tone="warning">Late</Badge>
          </If>
        </span>
      ),
    },
    {
      header: 'Action',
      className: 'lg:w-36',
      card: 'row',
      cell: (row) => (
        <If
          value={same(row.submittedBy, email)}
          otherwise={
            <Button
              size="sm"
              variant="quiet"
              className="max-sm:w-full"
              aria-describedby={`title-${row._id}`}
              {...markDialog.opener}
              onClick={() => onMark(row)}
            >
              Give Mark
            </Button>
          }
        >
          <span className="block text-soft">Own Submission</span>
          <AppLink to="/attemded-assignments" className="link text-sm leading-6">
            My Submitted
          </AppLink>
        </If>
      ),
    },
  ]
}

/** Everyone's submissions that wait for a grade, oldest first. */
export function PendingList({ page, onPage, wanted, taskOf }: PendingListProps) {
  const email = useUser()?.email
  const [marking, setMarking] = useState<PendingSubmission | null>(null)
  const submissions = useQuery(pendingQuery(page))
  const client = useQueryClient()
  const columns = useMemo(() => columnsFor(email, setMarking), [email])
  const rows = submissions.data?.rows
  const settled = !submissions.isFetching
  const navigate = useNavigate()
  const [toOpen, setToOpen] = useState(wanted)
  if (toOpen && rows && settled) {
    setToOpen(undefined)
    setMarking(rows.find((row) => row._id === toOpen && row.submittedBy !== email) ?? null)
  }
  useEffect(() => {
    // Said once: a reload of the page must not open the dialog again.
    if (wanted) void navigate('.', { replace: true, state: null, preventScrollReset: true })
  }, [wanted, navigate])
  const another = marking && rows?.find((row) => row._id !== marking._id && row.submittedBy !== email)

  return (
    <>
      <SubmissionTable
        title="Pending Assignments"
        intro="Read what a friend handed in, give it a mark, and say what you liked."
        art="pending"
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
      {marking && (
        <markDialog.Dialog
          key={marking._id}
          submission={marking}
          task={taskOf(marking.assignmentId)}
          onClose={() => setMarking(null)}
          onAnother={another ? () => setMarking(another) : undefined}
        />
      )}
    </>
  )
}
