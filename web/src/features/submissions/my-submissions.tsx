import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef, useState, type FormEvent, type ReactNode } from 'react'
import {
  AppLink,
  Badge,
  Button,
  CircleSoFar,
  CircledMark,
  Clamped,
  EmptyState,
  LinkButton,
  RenderedText,
  SearchField,
  SearchIcon,
  Select,
  buttonClass,
  lazyDialog,
  type Column,
} from '@/components/ui'
import { CircleName } from '@/entities/circle/circle-name'
import { LinkChanged } from '@/entities/submission/link-changed'
import { MarkNews } from '@/entities/submission/mark-news'
import { invalidate } from '@/lib/query'
import { stripBidiControls } from '@/lib/text'
import { useSearch } from '@/lib/search-params'
import { AssignmentTitle } from './assignment-title'
import { DocumentLink } from './document-link'
import { LinkHint } from './link-hint'
import { mineParams, mineQuery, submissionKeys, type OwnSubmission } from '@/entities/submission/queries'
import { SubmissionTable } from './submission-table'
import { useWithdraw } from './use-withdraw'

const answerDialog = lazyDialog(() => import('./answer-dialog'), { title: () => 'Answer a Reviewer' })
const assessDialog = lazyDialog(() => import('./assess-dialog'), { title: () => 'Judge Your Own Work' })
const changeDialog = lazyDialog(() => import('./change-dialog'), { title: () => 'Change Submission' })

/** The title; below it the submission and, until it is graded, its actions. */
function titleColumn(
  onChange: (row: OwnSubmission) => void,
  onWithdraw: (row: OwnSubmission) => void,
  onAppeal: (row: OwnSubmission) => void,
): Column<OwnSubmission> {
  return {
    header: 'Title',
    compact: 'heading',
    className: 'lg:min-w-64',
    cell: (row) => (
      <>
        <AssignmentTitle submission={row} linked={row.assignmentId} />
        <CircleName circleId={row.circleId} name={row.circleName} />
        <div className="-ms-3 flex flex-wrap items-center gap-x-1 text-sm max-lg:-mb-1 lg:mt-1">
          {row.docsLink && (
            <DocumentLink
              href={row.docsLink}
              label="Document"
              className={buttonClass({ variant: 'plain', size: 'sm' })}
            />
          )}
          {row.may?.change && (
            <Button
              variant="plain"
              size="sm"
              aria-describedby={`title-${row._id}`}
              {...changeDialog.opener}
              onClick={() => onChange(row)}
            >
              Change
            </Button>
          )}
          {row.may?.withdraw && (
            <Button
              variant="plain"
              size="sm"
              className="text-red"
              aria-describedby={`title-${row._id}`}
              onClick={() => onWithdraw(row)}
            >
              Withdraw
            </Button>
          )}
          <AppealButton submission={row} onAppeal={onAppeal} />
          <CraftButtons submission={row} />
        </div>
        <LinkHint submission={row} />
        {row.note && <Clamped className="text-sm text-soft">{row.note}</Clamped>}
      </>
    ),
  }
}

const toneOf = (status: OwnSubmission['status']) => {
  if (status === 'completed') return 'success'
  return status === 'sent-back' ? 'warning' : 'quiet'
}

const statusText = (status: OwnSubmission['status']) => (status === 'sent-back' ? 'sent back' : status)

const otherColumns = (): Column<OwnSubmission>[] => [
  {
    header: 'Status',
    compact: 'unnamed',
    cell: (row) => (
      <span className="flex flex-wrap gap-2">
        <ReviewState
          submission={row}
          otherwise={<Badge tone={toneOf(row.status)}>{statusText(row.status)}</Badge>}
        />
        {row.late && <Badge tone="warning">Late</Badge>}
        <LinkChanged at={row.linkChangedAt} />
        {row.status === 'sent-back' && (
          <span className="basis-full text-sm">
            <b>Hand it in again:</b> <bdi className="whitespace-pre-wrap wrap-anywhere">{row.endReason}</bdi>
            {row.assignmentId && (
              <>
                {' '}
                <AppLink to={`/assignment/${row.assignmentId}`} className="link">
                  Open the assignment
                </AppLink>
              </>
            )}
          </span>
        )}
        {row.status === 'withdrawn' && (
          <span className="basis-full text-sm text-soft">
            You withdrew it after a review, which stays with its reviewer.
          </span>
        )}
      </span>
    ),
  },
  { header: 'Total Marks', cell: (row) => row.marks || undefined, numeric: true },
  {
    header: 'Obtained Marks',
    cell: (row) => (row.givenMark === undefined ? undefined : <ObtainedMark submission={row} />),
    numeric: true,
  },
  {
    header: 'Feedback',
    className: 'lg:min-w-72',
    cell: (row) =>
      row.feedback ? (
        <Clamped>{row.html ? <RenderedText html={row.html} /> : row.feedback}</Clamped>
      ) : undefined,
  },
]

/** Answers a reviewer, and judges the own work, where the server permits it. */
function CraftButtons({ submission: { _id: id, may } }: { submission: OwnSubmission }) {
  const [open, setOpen] = useState<'answer' | 'assess' | null>(null)
  const close = () => setOpen(null)
  return (
    <>
      {may?.assess && (
        <Button
          variant="plain"
          size="sm"
          aria-describedby={`title-${id}`}
          {...assessDialog.opener}
          onClick={() => setOpen('assess')}
        >
          Judge it yourself
        </Button>
      )}
      {may?.answer && (
        <Button
          variant="quiet"
          size="sm"
          aria-describedby={`title-${id}`}
          {...answerDialog.opener}
          onClick={() => setOpen('answer')}
        >
          Answer a reviewer
        </Button>
      )}
      {open === 'answer' && <answerDialog.Dialog submissionId={id} onClose={close} />}
      {open === 'assess' && <assessDialog.Dialog submissionId={id} onClose={close} />}
    </>
  )
}

/** Requests two new reviews, where the server permits it. */
function AppealButton({
  submission,
  onAppeal,
}: {
  submission: OwnSubmission
  onAppeal: (row: OwnSubmission) => void
}) {
  return (
    submission.may?.appeal && (
      <Button
        variant="plain"
        size="sm"
        aria-describedby={`title-${submission._id}`}
        onClick={() => onAppeal(submission)}
      >
        Appeal
      </Button>
    )
  )
}

interface ReviewStateProps {
  submission: OwnSubmission
  /** The status where one grade is the mark, and where the reviews add nothing to it. */
  otherwise: ReactNode
}

/** The one status of a submission, and what it means where several review it. */
function ReviewState({ submission, otherwise }: ReviewStateProps) {
  if (!submission.reviewsNeeded) return otherwise
  const text = reviewState(submission)
  return (
    <>
      {text ? (
        <Badge tone="quiet">
          {submission.status === 'pending' && !submission.oneMore && (
            <CircleSoFar
              seed={submission._id}
              count={submission.reviews ?? 0}
              needed={submission.reviewsNeeded}
            />
          )}
          {text}
        </Badge>
      ) : (
        otherwise
      )}
      {submission.status === 'pending' && (
        <span className="text-sm text-soft">
          {submission.oneMore && 'The reviews are far apart. '}
          In review. This count is updated daily to keep reviewers anonymous.
        </span>
      )}
      {submission.status === 'completed' && !(submission.appeal && submission.reviewsNeeded === 1) && (
        <AppLink to={`/submission/${submission._id}/mark`} className="link text-sm leading-6">
          How was my mark made?
        </AppLink>
      )}
    </>
  )
}

function reviewState({ status, appeal, reopened, oneMore, reviews, reviewsNeeded }: OwnSubmission): string {
  if (appeal) return 'Under appeal'
  if (reopened) return 'Reopened'
  if (status !== 'pending') return ''
  return oneMore ? 'One more review asked for' : `Pending (${reviews} of ${reviewsNeeded} reviews)`
}

function ObtainedMark({ submission }: { submission: OwnSubmission }) {
  return (
    <CircledMark
      seed={submission._id}
      drawn
      className="-my-2 min-h-11 min-w-11 font-display text-lg font-bold"
    >
      {submission.givenMark}
    </CircledMark>
  )
}

type Filter = Pick<ReturnType<typeof mineParams.read>, 'status' | 'search'>

/** Which submissions the list has. The status applies at once, with what the box shows. */
function Filters({ status, search, onChange }: Filter & { onChange: (filter: Partial<Filter>) => void }) {
  const box = useRef<HTMLInputElement>(null)
  const ask = (change: Partial<Filter> = {}) =>
    onChange({ search: box.current?.value.trim() ?? '', ...change })
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    ask()
  }
  return (
    <search className="my-5">
      <form onSubmit={send} className="grid items-end gap-x-4 gap-y-3 sm:grid-cols-[11rem_minmax(0,28rem)]">
        <Select
          label="Show"
          value={status}
          onChange={(event) => ask({ status: event.currentTarget.value as Filter['status'] })}
        >
          <option value="">All</option>
          <option value="pending">Pending</option>
          <option value="completed">Completed</option>
          <option value="sent-back">Sent back</option>
        </Select>
        <div className="flex items-end gap-3">
          <SearchField
            label="Search titles"
            value={search}
            placeholder="A title"
            box={box}
            onClear={() => search && ask()}
            className="min-w-0 flex-1"
          />
          <Button type="submit" variant="quiet">
            <SearchIcon />
            Search
          </Button>
        </div>
      </form>
    </search>
  )
}

interface MySubmissionsProps {
  email: string
  /** The form for an appeal; calls `onAppealed` once it is sent. */
  appealForm: (submissionId: string, onClose: () => void, onAppealed: () => void) => ReactNode
}

/** The user's submissions, newest first, with their marks. */
export function MySubmissions({ email, appealForm }: MySubmissionsProps) {
  const [changing, setChanging] = useState<OwnSubmission | null>(null)
  const [appealing, setAppealing] = useState<OwnSubmission | null>(null)
  const withdraw = useWithdraw()
  const columns = useMemo(
    () => [titleColumn(setChanging, withdraw, setAppealing), ...otherColumns()],
    [withdraw],
  )
  const [query, change] = useSearch(mineParams)
  const { status, search } = query
  const submissions = useQuery(mineQuery(email, query))
  const client = useQueryClient()
  return (
    <>
      <SubmissionTable
        title="My Submitted Assignments"
        intro="What you handed in. Until its mark, you can withdraw it; reviews that it has stay with their reviewers."
        art="mine"
        notice={<Filters status={status} search={search} onChange={change} />}
        loadingLabel="Loading your submissions"
        caption="What you handed in"
        columns={columns}
        submissions={submissions}
        empty={
          status || search ? (
            <EmptyState
              message={
                search
                  ? 'No title of what you handed in has these words.'
                  : `Nothing of yours is ${statusText(status as OwnSubmission['status'])}.`
              }
              art="submitted"
            >
              <Button variant="quiet" onClick={() => change({ status: '', search: '' })}>
                Show all
              </Button>
            </EmptyState>
          ) : (
            <EmptyState message="No submitted assignments found." art="submitted">
              <LinkButton to="/assignments">Take your first one</LinkButton>
            </EmptyState>
          )
        }
      />
      <MarkNews rows={submissions.data?.rows} nameOf={titleOf} />
      {changing && <changeDialog.Dialog submission={changing} onClose={() => setChanging(null)} />}
      {appealing &&
        appealForm(
          appealing._id,
          () => setAppealing(null),
          () => invalidate(client, submissionKeys.mine),
        )}
    </>
  )
}

const titleOf = ({ assignmentTitle }: OwnSubmission) => stripBidiControls(assignmentTitle)
