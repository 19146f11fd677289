import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useMemo, useState, type ReactNode } from 'react'
import {
  Badge,
  CircledMark,
  Clamped,
  DataTable,
  ErrorState,
  Loading,
  MarkNews,
  NewRows,
  Pages,
  Person,
  RefreshFailed,
  RenderedText,
  type Column,
} from '@/components/ui'
import { explain } from '@/lib/problem'
import { previousOfSubject } from '@/lib/query'
import { useUser } from '@/lib/session'
import { stripBidiControls } from '@/lib/text'
import { useNewcomers, type RowFacts } from '@/lib/use-newcomers'
import { resultsAtOnce, resultsQuery, type Result } from './results-query'

interface ResultsProps {
  assignment: { _id: string; marks: number; creatorEmail: string; reviewsNeeded?: number }
  /** The creator's actions on a result. */
  actionsOf: (result: Result, describedBy: string) => ReactNode
  /** Shown below the results of an assignment with several reviews. */
  children?: ReactNode
}

/** The submissions for an assignment, shown to its creator alone. */
export function Results({ assignment, actionsOf, children }: ResultsProps) {
  const user = useUser()
  const id = useId()
  return (
    user !== null &&
    user.email === assignment.creatorEmail && (
      <section aria-labelledby={id} className="page pt-0!">
        <h2 id={id} tabIndex={-1} className="border-t border-line pt-8 text-2xl">
          Results
        </h2>
        <Rows assignment={assignment} headingId={id} actionsOf={actionsOf} />
        {children}
      </section>
    )
  )
}

const facts: RowFacts<Result> = {
  cameAt: ({ submittedAt }) => submittedAt,
  isOwn: () => false,
  pageSize: resultsAtOnce,
}

/** Grades change rows in place. New submissions wait behind a button at the top. */
function Rows({
  assignment: { _id: assignmentId, marks: total, reviewsNeeded },
  headingId,
  actionsOf,
}: Pick<ResultsProps, 'assignment' | 'actionsOf'> & { headingId: string }) {
  const [page, setPage] = useState(1)
  const client = useQueryClient()
  const query = resultsQuery(assignmentId, page)
  const { data, error, isPending, isFetching, refetch } = useQuery({
    ...query,
    placeholderData: previousOfSubject(query.queryKey),
  })
  const { shown, count, reveal } = useNewcomers(`${page}`, data?.data ?? none, !isFetching, facts)
  // Where one grade is the mark, only an appeal needs an action.
  const decides = reviewsNeeded !== undefined || shown.some(({ appeal, reopened }) => appeal ?? reopened)
  const columns = useMemo(() => {
    const always = columnsFor(total)
    return decides ? [...always, actionColumn(actionsOf)] : always
  }, [total, decides, actionsOf])
  const retry = () => void refetch()
  const totalPages = data?.pagination.totalPages ?? 0

  function turnTo(next: number) {
    setPage(next)
    document.getElementById(headingId)?.focus()
  }
  function showNew() {
    reveal()
    turnTo(1)
  }
  // The last row of the last page has been taken back.
  if (totalPages > 0 && page > totalPages) setPage(totalPages)

  return (
    <div className="mt-6">
      {isPending && <Loading label="Loading the results" fillsScreen />}
      {error && !data && <ErrorState message={explain(error)} onRetry={retry} />}
      <RefreshFailed error={data && error} onRetry={retry} />
      <MarkNews rows={data?.data} nameOf={nameOf} />
      {data?.data.length === 0 && (
        <p className="max-w-prose text-soft">
          Nobody has handed anything in yet. Send a friend the address of this page: what they hand in, and
          the mark it gets, will stand here.
        </p>
      )}
      {shown.length > 0 && (
        <>
          <NewRows count={count} onShow={showNew} />
          <DataTable caption="What was handed in" columns={columns} rows={shown} rowKey={idOf} />
          <Pages
            page={page}
            totalPages={totalPages}
            onPage={turnTo}
            onIntent={(next) => void client.prefetchQuery(resultsQuery(assignmentId, next))}
            label="Results pages"
          />
        </>
      )}
    </div>
  )
}

const none: Result[] = []
const idOf = ({ _id }: Result) => _id
const nameOf = ({ submitterName }: Result) => stripBidiControls(submitterName ?? 'Unknown')

/** `total`: what the assignment's marks are today; work that was handed in before keeps its own. */
const columnsFor = (total: number): Column<Result>[] => [
  {
    header: 'Submitter',
    card: 'heading',
    className: 'lg:w-80',
    cell: ({ _id: id, submitterName, submittedBy }) => (
      <div id={`result-${id}`}>
        <Person name={submitterName} email={submittedBy ?? 'Unknown'} photoURL={null} />
      </div>
    ),
  },
  {
    header: 'Status',
    className: 'lg:w-36 lg:min-w-36',
    cell: (result) => (
      <span className="flex flex-wrap gap-2">
        <Badge tone={result.status === 'completed' ? 'success' : 'quiet'}>{result.status}</Badge>
        <ReviewState result={result} />
        {result.late && <Badge tone="warning">Late</Badge>}
      </span>
    ),
  },
  {
    header: 'Obtained Marks',
    className: 'lg:w-36',
    numeric: true,
    cell: ({ _id: id, givenMark, marks }) =>
      givenMark === undefined ? (
        '--'
      ) : (
        <>
          <CircledMark seed={id} drawn className="-my-2 min-h-11 min-w-11 font-display text-lg font-bold">
            {givenMark}
          </CircledMark>
          {marks !== total && <span className="text-sm text-soft"> of {marks}</span>}
        </>
      ),
  },
  {
    header: 'Feedback',
    className: 'lg:min-w-72',
    // Two lines are kept free for it: a grade that arrives moves no row.
    cell: ({ feedback, html }) => (
      <div className="min-h-14">
        {feedback ? <Clamped lines={2}>{html ? <RenderedText html={html} /> : feedback}</Clamped> : '--'}
      </div>
    ),
  },
]

const actionColumn = (actionsOf: ResultsProps['actionsOf']): Column<Result> => ({
  header: 'Action',
  className: 'lg:w-44',
  card: 'row',
  cell: (result) => actionsOf(result, `result-${result._id}`),
})

/** The state of its reviews; nothing where one grade is the mark. */
function ReviewState({ result }: { result: Result }) {
  const { status, appeal, reopened, unattended, oneMore, reviews = 0, reviewsNeeded } = result
  if (appeal) return <Badge tone="warning">Under appeal</Badge>
  if (reopened) return <Badge tone="warning">Reopened</Badge>
  if (status !== 'pending' || reviewsNeeded === undefined) return null
  if (unattended) return <Badge tone="warning">No review in time</Badge>
  return <Badge tone="quiet">{oneMore ? 'One more review' : `${reviews} of ${reviewsNeeded} reviews`}</Badge>
}
