import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import {
  AppLink,
  Badge,
  Button,
  CircledMark,
  Clamped,
  DataTable,
  ErrorState,
  Loading,
  NewRows,
  Pages,
  Person,
  RefreshFailed,
  RenderedText,
  Select,
  SheetDay,
  lazyView,
  type Column,
} from '@/components/ui'
import { OnlySection } from '@/entities/circle/only-section'
import { LinkChanged } from '@/entities/submission/link-changed'
import { MarkNews } from '@/entities/submission/mark-news'
import { printSheet } from '@/lib/print-sheet'
import { explain } from '@/lib/problem'
import { previousOfSubject } from '@/lib/query'
import { stripBidiControls } from '@/lib/text'
import { pageNumber, searchParams, usePage, useSearch, words } from '@/lib/search-params'
import { useRowFocus } from '@/lib/use-row-focus'
import { useNewcomers, type RowFacts } from '@/lib/use-newcomers'
import {
  allResults,
  resultsAtOnce,
  resultsQuery,
  type Result,
  type ResultDetail,
  type ResultsView,
} from '@/entities/result/queries'
import { ReviewsCount } from '@/entities/result/reviews-count'

const ResultDesk = lazyView(() => import('./result-desk'), { label: () => t`Loading the submission` })
const ResultOverview = lazyView(() => import('./result-overview'), { label: () => t`Loading the figures` })

export interface ResultRowsProps {
  assignment: { _id: string; marks: number }
  /** The creator's actions on a result. */
  actionsOf: (result: Result, describedBy: string) => ReactNode
  /** Gives the grade of an open submission, where the creator may. */
  gradeOf: (result: ResultDetail) => ReactNode
  headingId: string
}

const facts: RowFacts<Result> = {
  cameAt: ({ submittedAt }) => submittedAt,
  isOwn: () => false,
  pageSize: resultsAtOnce,
}
// In another order than by time nothing waits at the top.
const sortedFacts: RowFacts<Result> = { ...facts, cameAt: () => '' }

const hashOf = 'result-'
const pageName = 'results'
const sectionParams = searchParams({ label: words(40), [pageName]: pageNumber })

/**
 * Grades change rows in place. New submissions wait behind a button at the top. One submission may be open above the
 * table; the address of a notification names it.
 */
export default function ResultRows({
  assignment: { _id: assignmentId, marks: total },
  headingId,
  actionsOf,
  gradeOf,
}: ResultRowsProps) {
  const { page } = usePage(pageName)
  const [{ label }] = useSearch(sectionParams)
  const [search] = useSearchParams()
  const sectionAddress = useCallback(
    (of: string) => sectionParams.address('', { label: of, [pageName]: 1 }, search),
    [search],
  )
  const [order, setOrder] = useState(allResults)
  const view = useMemo(() => ({ ...order, label }), [order, label])
  const { hash, key } = useLocation()
  const [openId, setOpenId] = useState('')
  // A notification that is pressed while the page is open leads there, too.
  const [followed, setFollowed] = useState('')
  const visit = `${key} ${hash}`
  if (visit !== followed) {
    setFollowed(visit)
    if (hash.startsWith(`#${hashOf}`)) setOpenId(hash.slice(hashOf.length + 1))
  }
  useEffect(() => {
    if (hash === `#${headingId}`) document.getElementById(headingId)?.focus()
    // A link that leads here is followed each time.
  }, [visit, hash, headingId])
  const client = useQueryClient()
  const query = resultsQuery(assignmentId, page, view)
  const { data, error, isPending, isFetching, refetch } = useQuery({
    ...query,
    placeholderData: previousOfSubject(query.queryKey),
  })
  const { shown, count, reveal } = useNewcomers(
    `${view.show} ${view.sort} ${label} ${page}`,
    data?.data ?? none,
    !isFetching,
    view.sort === 'newest' ? facts : sortedFacts,
  )
  const severalReview = shown.some(({ reviewsNeeded = 1 }) => reviewsNeeded > 1)
  const columns = useMemo(
    () =>
      columnsFor(total, severalReview, sectionAddress, (result) => (
        <RowActions result={result} actionsOf={actionsOf} onOpen={setOpenId} />
      )),
    [total, severalReview, sectionAddress, actionsOf],
  )
  const isFiltered = Boolean(view.show || label)
  const retry = () => void refetch()
  const totalPages = data?.pagination.totalPages ?? 0
  const { addressOf, go } = usePage(pageName, totalPages)

  const heading = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    heading.current = document.getElementById(headingId)
  }, [headingId])
  const { container, onFocus } = useRowFocus<HTMLDivElement>('tbody > tr', heading)
  const focusHeading = () => heading.current?.focus()
  function showNew() {
    reveal()
    if (page > 1) go(1)
    focusHeading()
  }
  function look(changed: Partial<ResultsView>) {
    setOrder({ ...order, ...changed })
    if (page > 1) go(1)
  }

  // The submissions one after the other, over the pages' ends.
  const at = shown.findIndex(({ _id }) => _id === openId)
  const [entering, setEntering] = useState<'first' | 'last' | null>(null)
  if (entering && data && !isFetching && data.pagination.page === page) {
    setEntering(null)
    setOpenId(shown.at(entering === 'first' ? 0 : -1)?._id ?? '')
  }
  const step = useCallback(
    (by: 1 | -1) => {
      const neighbour = at < 0 ? undefined : shown[at + by]
      if (neighbour) setOpenId(neighbour._id)
      else {
        go(page + by)
        setEntering(by === 1 ? 'first' : 'last')
      }
    },
    [at, shown, page, go],
  )
  const next = useMemo(
    () => (at >= 0 && (at < shown.length - 1 || page < totalPages) ? () => step(1) : undefined),
    [at, shown, page, totalPages, step],
  )
  const before = useMemo(
    () => (at > 0 || (at === 0 && page > 1) ? () => step(-1) : undefined),
    [at, page, step],
  )
  const close = useCallback(() => {
    setOpenId('')
    document.getElementById(`open-${openId}`)?.focus()
  }, [openId])
  const position =
    at < 0 || !data
      ? ''
      : t`${{ number: (page - 1) * resultsAtOnce + at + 1 }} of ${{ count: data.pagination.total }}`

  return (
    <>
      {isPending && <Loading label={t`Loading the results`} fillsScreen />}
      {error && !data && <ErrorState message={explain(error)} onRetry={retry} />}
      {!isPending && <RefreshFailed error={data && error} onRetry={retry} />}
      {!isPending && <MarkNews rows={data?.data} nameOf={nameOf} />}
      {openId && (
        <ResultDesk
          assignmentId={assignmentId}
          submissionId={openId}
          position={position}
          actionsOf={actionsOf}
          gradeOf={gradeOf}
          onNext={next}
          onBefore={before}
          onClose={close}
        />
      )}
      {label && (
        <div data-sheet-title className="mb-4">
          <OnlySection label={label} all={sectionAddress('')} />
        </div>
      )}
      {data && (data.pagination.total > 0 || isFiltered) && (
        <div className="mb-4 grid max-w-md grid-cols-2 gap-4">
          <Select
            label={t`Show`}
            value={view.show}
            onChange={(event) => look({ show: event.currentTarget.value as ResultsView['show'] })}
          >
            <option value="">{t`All`}</option>
            <option value="waiting">{t`Waiting for me`}</option>
            <option value="pending">{t`Pending`}</option>
            <option value="completed">{t`Completed`}</option>
            <option value="late">{t`Late`}</option>
            <option value="appeal">{t`Under appeal`}</option>
          </Select>
          <Select
            label={t`Sort by`}
            value={view.sort}
            onChange={(event) => look({ sort: event.currentTarget.value as ResultsView['sort'] })}
          >
            <option value="newest">{t`Newest`}</option>
            <option value="mark">{t`Mark`}</option>
            <option value="name">{t`Name`}</option>
          </Select>
        </div>
      )}
      {data?.data.length === 0 && isFiltered && <p>{t`Nothing here.`}</p>}
      {data?.data.length === 0 && !isFiltered && (
        <p className="max-w-prose text-soft">
          <Trans>
            There are no submissions yet. Send a friend the address of this page: their submission and its
            mark will appear here.
          </Trans>
        </p>
      )}
      {shown.length > 0 && (
        <>
          <NewRows count={count} onShow={showNew} />
          <Button
            variant="plain"
            size="sm"
            className="-ms-3 mb-1"
            onClick={() => container.current && printSheet(container.current)}
          >
            {t`Print these`}
          </Button>
          <div ref={container} onFocus={onFocus}>
            <SheetDay />
            <DataTable caption={t`What was handed in`} columns={columns} rows={shown} rowKey={idOf} dense />
          </div>
          <Pages
            page={page}
            totalPages={totalPages}
            addressOf={addressOf}
            onPage={focusHeading}
            part
            onIntent={(ahead) => void client.prefetchQuery(resultsQuery(assignmentId, ahead, view))}
            label={t`Results pages`}
          />
          <ResultOverview
            assignmentId={assignmentId}
            severalReview={severalReview}
            onOpen={setOpenId}
            onWaiting={() => look({ show: 'waiting' })}
          />
        </>
      )}
    </>
  )
}

const none: Result[] = []
const idOf = ({ _id }: Result) => _id
const nameOf = ({ submitterName }: Result) => stripBidiControls(submitterName ?? t`Unknown`)

/**
 * `total`: what the assignment's marks are today; work that was handed in before keeps its own. Actions have a column
 * where several people review, and stand beside the submitter otherwise.
 */
const columnsFor = (
  total: number,
  severalReview: boolean,
  sectionAddress: (label: string) => string,
  actionsFor: (result: Result) => ReactNode,
): Column<Result>[] => [
  {
    header: t`Submitter`,
    compact: 'heading',
    className: severalReview ? 'lg:w-72' : 'lg:w-[35rem]',
    cell: (result) => (
      <div className="lg:flex lg:items-center lg:justify-between lg:gap-x-8">
        <div id={`result-${result._id}`} className="lg:w-64">
          <Person name={result.submitterName} email={result.submittedBy} photoURL={result.submitterPhoto} />
        </div>
        {result.label && (
          <AppLink to={sectionAddress(result.label)} preventScrollReset className="link ms-13 text-sm">
            <bdi>{result.label}</bdi>
          </AppLink>
        )}
        {!severalReview && actionsFor(result)}
      </div>
    ),
  },
  {
    header: t`Status`,
    compact: 'unnamed',
    className: 'lg:min-w-36',
    cell: (result) => (
      <span className="flex flex-wrap gap-2">
        <State result={result} />
        {result.late && <Badge tone="warning">{t`Late`}</Badge>}
        <LinkChanged at={result.linkChangedAt} />
      </span>
    ),
  },
  {
    header: t`Obtained Marks`,
    className: 'lg:w-36',
    numeric: true,
    cell: ({ _id: id, givenMark, marks }) =>
      givenMark === undefined ? undefined : (
        <>
          <CircledMark seed={id} drawn className="-my-2 min-h-11 min-w-11 font-display text-lg font-bold">
            {givenMark}
          </CircledMark>
          {marks !== total && <span className="text-sm text-soft"> {t`of ${{ total: marks }}`}</span>}
        </>
      ),
  },
  {
    header: t`Feedback`,
    className: 'lg:min-w-32',
    cell: ({ feedback, html }) =>
      feedback ? <Clamped lines={1}>{html ? <RenderedText html={html} /> : feedback}</Clamped> : undefined,
  },
  ...(severalReview
    ? [{ header: t`Action`, className: 'lg:w-[28rem]', compact: 'unnamed' as const, cell: actionsFor }]
    : []),
]

interface RowActionsProps {
  result: Result
  actionsOf: ResultRowsProps['actionsOf']
  onOpen: (id: string) => void
}

function RowActions({ result, actionsOf, onOpen }: RowActionsProps) {
  return (
    <div className="-mx-3 flex min-h-11 flex-wrap items-center lg:min-h-9">
      <Button
        id={`open-${result._id}`}
        variant="plain"
        size="sm"
        aria-describedby={`result-${result._id}`}
        onClick={() => onOpen(result._id)}
      >
        {t({ context: 'verb', message: 'Open' })}
      </Button>
      {actionsOf(result, `result-${result._id}`)}
    </div>
  )
}

/** A result has one state: that of its reviews while they go on, or of its mark. */
function State({ result }: { result: Result }) {
  const { status, appeal, reopened, unattended, reviewsNeeded } = result
  if (appeal) return <Badge tone="warning">{t`Under appeal`}</Badge>
  if (reopened) return <Badge tone="warning">{t`Reopened`}</Badge>
  if (status === 'completed') return <Badge tone="success">{t`completed`}</Badge>
  if (reviewsNeeded === undefined) return <Badge tone="quiet">{t`pending`}</Badge>
  if (unattended) return <Badge tone="warning">{t`No review in time`}</Badge>
  return <ReviewsCount {...result} />
}
