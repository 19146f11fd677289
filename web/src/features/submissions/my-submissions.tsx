import { plural, t } from '@lingui/core/macro'
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

const answerDialog = lazyDialog(() => import('./answer-dialog'), { title: () => t`Answer a Reviewer` })
const assessDialog = lazyDialog(() => import('./assess-dialog'), { title: () => t`Judge Your Own Work` })
const changeDialog = lazyDialog(() => import('./change-dialog'), { title: () => t`Change Submission` })

/** The title; below it the submission and, until it is graded, its actions. */
function titleColumn(
  onChange: (row: OwnSubmission) => void,
  onWithdraw: (row: OwnSubmission) => void,
  onAppeal: (row: OwnSubmission) => void,
): Column<OwnSubmission> {
  return {
    header: t`Title`,
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
              label={t`Document`}
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
              {t`Change`}
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
              {t`Withdraw`}
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

type Status = OwnSubmission['status']

const statuses = (): Record<Status, string> => ({
  pending: t`pending`,
  completed: t`completed`,
  'sent-back': t`sent back`,
  withdrawn: t`withdrawn`,
})

const noneOf = (): Record<Status, string> => ({
  pending: t`Nothing of yours is pending.`,
  completed: t`Nothing of yours is completed.`,
  'sent-back': t`Nothing of yours is sent back.`,
  withdrawn: t`Nothing of yours is withdrawn.`,
})

const otherColumns = (): Column<OwnSubmission>[] => [
  {
    header: t`Status`,
    compact: 'unnamed',
    cell: (row) => (
      <span className="flex flex-wrap gap-2">
        <ReviewState
          submission={row}
          otherwise={<Badge tone={toneOf(row.status)}>{statuses()[row.status]}</Badge>}
        />
        {row.late && <Badge tone="warning">{t`Late`}</Badge>}
        <LinkChanged at={row.linkChangedAt} />
        {row.status === 'sent-back' && (
          <span className="basis-full text-sm">
            <b>{t`Hand it in again:`}</b>{' '}
            <bdi className="whitespace-pre-wrap wrap-anywhere">{row.endReason}</bdi>
            {row.assignmentId && (
              <>
                {' '}
                <AppLink to={`/assignment/${row.assignmentId}`} className="link">
                  {t`Open the assignment`}
                </AppLink>
              </>
            )}
          </span>
        )}
        {row.status === 'withdrawn' && (
          <span className="basis-full text-sm text-soft">
            {t`You withdrew it after a review, which stays with its reviewer.`}
          </span>
        )}
      </span>
    ),
  },
  { header: t`Total Marks`, cell: (row) => row.marks || undefined, numeric: true },
  {
    header: t`Obtained Marks`,
    cell: (row) => (row.givenMark === undefined ? undefined : <ObtainedMark submission={row} />),
    numeric: true,
  },
  {
    header: t`Feedback`,
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
          {t`Judge it yourself`}
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
          {t`Answer a reviewer`}
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
        {t`Appeal`}
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
          {submission.oneMore && `${t`The reviews are far apart.`} `}
          {t`In review. This count is updated daily to keep reviewers anonymous.`}
        </span>
      )}
      {submission.status === 'completed' && !(submission.appeal && submission.reviewsNeeded === 1) && (
        <AppLink to={`/submission/${submission._id}/mark`} className="link text-sm leading-6">
          {t`How was my mark made?`}
        </AppLink>
      )}
    </>
  )
}

function reviewState({ status, appeal, reopened, oneMore, reviews, reviewsNeeded }: OwnSubmission): string {
  if (appeal) return t`Under appeal`
  if (reopened) return t`Reopened`
  if (status !== 'pending') return ''
  return oneMore ? t`One more review asked for` : pendingText(reviews, reviewsNeeded)
}

const pendingText = (reviews = 0, reviewsNeeded = 0) =>
  plural(reviewsNeeded, { other: `Pending (${reviews} of # reviews)` })

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
          label={t`Show`}
          value={status}
          onChange={(event) => ask({ status: event.currentTarget.value as Filter['status'] })}
        >
          <option value="">{t`All`}</option>
          <option value="pending">{t`Pending`}</option>
          <option value="completed">{t`Completed`}</option>
          <option value="sent-back">{t`Sent back`}</option>
        </Select>
        <div className="flex items-end gap-3">
          <SearchField
            label={t`Search titles`}
            value={search}
            placeholder={t`A title`}
            box={box}
            onClear={() => search && ask()}
            className="min-w-0 flex-1"
          />
          <Button type="submit" variant="quiet">
            <SearchIcon />
            {t`Search`}
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
        title={t`My Submitted Assignments`}
        intro={t`What you handed in. Until its mark, you can withdraw it; reviews that it has stay with their reviewers.`}
        art="mine"
        notice={<Filters status={status} search={search} onChange={change} />}
        loadingLabel={t`Loading your submissions`}
        caption={t`What you handed in`}
        columns={columns}
        submissions={submissions}
        empty={
          status || search ? (
            <EmptyState
              message={
                search ? t`No title of what you handed in has these words.` : noneOf()[status as Status]
              }
              art="submitted"
            >
              <Button variant="quiet" onClick={() => change({ status: '', search: '' })}>
                {t`Show all`}
              </Button>
            </EmptyState>
          ) : (
            <EmptyState message={t`No submitted assignments found.`} art="submitted">
              <LinkButton to="/assignments">{t`Take your first one`}</LinkButton>
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
