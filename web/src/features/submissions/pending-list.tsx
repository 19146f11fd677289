import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
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
import { InCircle } from '@/entities/report/mutations'
import { useUser } from '@/lib/session'
import { AssignmentTitle } from './assignment-title'
import { usePage } from '@/lib/search-params'
import { HeldNotice } from './held-notice'
import { LinkChanged } from '@/entities/submission/link-changed'
import { pendingQuery, reservedQuery, type PendingSubmission } from '@/entities/submission/queries'
import { SubmissionTable } from './submission-table'
import { useReviewNext, type Marking } from './use-review-next'

const markDialog = lazyDialog(() => import('./mark-dialog'), {
  title: () => t`Mark Assignment`,
  size: 'desk',
})

interface PendingListProps {
  /** The circle whose submissions they are, on its page; absent for those of the hall. */
  circle?: string
  /** The submission with which to begin at once. */
  wanted?: string | undefined
  /** The assignment of which to review the next submission at once. */
  toReview?: string | undefined
  /** Shows what an assignment asks for. */
  taskOf: (assignmentId: string | undefined) => ReactNode
  /** Shows how many of the reviews owed for an assignment the viewer has given. */
  givenOf: (assignmentId: string) => ReactNode
  /** How many submissions of an assignment are left for the viewer to review, and after the last what they have done. */
  afterReview: (assignmentId: string) => Promise<{ left: number; ending: string }>
}

const isOwnRow = ({ mine, submittedBy }: PendingSubmission, email: string | undefined) =>
  mine || submittedBy === email

function columnsFor(
  email: string | undefined,
  onMark: (row: PendingSubmission) => void,
  onReview: (row: PendingSubmission) => void,
  givenOf: PendingListProps['givenOf'],
): Column<PendingSubmission>[] {
  return [
    {
      header: t`Title`,
      compact: 'heading',
      cell: (row) => (
        <Reviewable
          row={row}
          otherwise={
            <>
              <AssignmentTitle submission={row} linked={row.dueDate} />
              <p className="text-sm text-soft">
                {row.dueDate ? (
                  <Trans>
                    Due <DueDate instant={row.dueDate} />
                  </Trans>
                ) : (
                  t`Its assignment was deleted.`
                )}
              </p>
            </>
          }
        >
          {(n) => (
            <>
              <AssignmentTitle submission={row} linked={row.assignmentId} />
              <p className="text-sm text-soft">
                {n > 0 ? t`There is work for you to review` : t`Nothing here for you to review now`}
              </p>
              {row.assignmentId && givenOf(row.assignmentId)}
            </>
          )}
        </Reviewable>
      ),
    },
    { header: t`Marks`, cell: (row) => row.marks || t`N/A`, numeric: true },
    {
      header: t`Examinee`,
      className: 'lg:min-w-72',
      compact: 'unnamed',
      cell: (row) => (
        <span className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Person name={row.submitterName} email={row.submittedBy} photoURL={row.submitterPhoto} />
          {row.late && <Badge tone="warning">{t`Late`}</Badge>}
          <LinkChanged at={row.linkChangedAt} />
        </span>
      ),
    },
    {
      header: t`Action`,
      className: 'lg:w-36',
      compact: 'unnamed',
      cell: (row) => (
        <Reviewable
          row={row}
          otherwise={
            isOwnRow(row, email) ? (
              <>
                <span className="block text-soft">{t`Own Submission`}</span>
                <AppLink to="/attemded-assignments" className="link text-sm leading-6">
                  {t`My Submitted`}
                </AppLink>
              </>
            ) : (
              <RowButton row={row} label={t`Give Mark`} onPress={onMark} />
            )
          }
        >
          {(n) => n > 0 && <RowButton row={row} label={t`Review next`} onPress={onReview} />}
        </Reviewable>
      ),
    },
  ]
}

interface RowButtonProps {
  row: PendingSubmission
  label: string
  onPress: (row: PendingSubmission) => void
}

function RowButton({ row, label, onPress }: RowButtonProps) {
  return (
    <Button
      size="sm"
      variant="quiet"
      aria-describedby={`title-${row._id}`}
      {...markDialog.opener}
      onClick={() => onPress(row)}
    >
      {label}
    </Button>
  )
}

interface ReviewableProps {
  row: PendingSubmission
  /** Shown for a submission. */
  otherwise: ReactNode
  /** Shown for an assignment, of which the viewer can review `count` submissions. */
  children: (count: number) => ReactNode
}

/** Reports whether a row is an assignment to review. */
function Reviewable({ row, otherwise, children }: ReviewableProps) {
  return row.reviewable !== undefined ? children(row.reviewable) : otherwise
}

/** The submissions that wait for a grade, oldest first. */
export function PendingList(props: PendingListProps) {
  const { circle, wanted, toReview, taskOf, givenOf, afterReview } = props
  const email = useUser()?.email
  const [marking, setMarking] = useState<Marking | null>(null)
  const { page } = usePage()
  const submissions = useQuery(pendingQuery(page, circle))
  const client = useQueryClient()
  const review = useReviewNext(setMarking)
  const { data: reserved } = useQuery(reservedQuery)
  const rows = submissions.data?.rows
  const settled = !submissions.isFetching
  const navigate = useNavigate()
  const [toOpen, setToOpen] = useState(wanted)
  if (toOpen && rows && settled) {
    setToOpen(undefined)
    const submission = rows.find((row) => row._id === toOpen && !isOwnRow(row, email))
    setMarking(submission ? { submission } : null)
  }
  useEffect(() => {
    // Said once: a reload of the page must not open the dialog again.
    if (wanted ?? toReview) void navigate('.', { replace: true, state: null, preventScrollReset: true })
  }, [wanted, toReview, navigate])
  useEffect(() => {
    if (toReview) void review(toReview)
  }, [toReview, review])

  const columns = useMemo(
    () =>
      columnsFor(
        email,
        (submission) => setMarking({ submission }),
        (row) => void review(row.assignmentId),
        givenOf,
      ),
    [email, review, givenOf],
  )
  const marked = marking?.submission
  const another =
    marked &&
    rows?.find((row) => row._id !== marked._id && !isOwnRow(row, email) && row.reviewable === undefined)
  async function findAnother() {
    const reviewed = marking?.review?.assignmentId
    if (reviewed !== undefined) {
      const { left, ending } = await afterReview(reviewed)
      return left > 0 ? { open: () => void review(reviewed) } : { ending }
    }
    return { open: another && (() => setMarking({ submission: another })) }
  }

  return (
    <>
      <SubmissionTable
        title={circle ? t`Pending` : t`Pending Assignments`}
        part={circle !== undefined}
        intro={
          circle
            ? t`Read what another member handed in, give it a mark, and say what you liked.`
            : t`Read what a friend handed in, give it a mark, and say what you liked.`
        }
        art="pending"
        notice={reserved && <HeldNotice held={reserved} onContinue={() => void review(undefined)} />}
        loadingLabel={t`Loading pending assignments`}
        caption={t`Submissions waiting for a grade`}
        columns={columns}
        submissions={submissions}
        ahead={(next) => client.prefetchQuery(pendingQuery(next, circle))}
        empty={
          <EmptyState message={t`No pending assignments found.`} art="pending">
            <LinkButton to={circle ? `/circle/${circle}` : '/assignments'}>{t`See assignments`}</LinkButton>
          </EmptyState>
        }
      />
      {marking && (
        <InCircle value={circle}>
          <markDialog.Dialog
            key={marking.submission._id}
            submission={marking.submission}
            review={marking.review}
            task={taskOf(marking.submission.assignmentId)}
            unfinished={marking.unfinished ?? false}
            onClose={() => setMarking(null)}
            findAnother={findAnother}
          />
        </InCircle>
      )}
    </>
  )
}
