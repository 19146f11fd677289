import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import {
  Badge,
  Button,
  Clamped,
  DataTable,
  EmptyState,
  ErrorState,
  LinkButton,
  Loading,
  PageHead,
  Pages,
  RefreshFailed,
  type Column,
} from '@/components/ui'
import { explain } from '@/lib/problem'
import { useRedirectPastEnd } from '@/lib/use-redirect-past-end'
import { HowYouReview } from './how-you-review'
import { givenQuery, type GivenReview } from './queries'

interface GivenReviewsProps {
  page: number
  onPage: (page: number) => void
  /** Opens a review to correct it. */
  onCorrect: (reviewId: string) => Promise<void>
  /** For the button that does. */
  opener: object
}

/** The user's reviews, newest first: the mark they gave, the settled mark, and the submitter's reply. */
export function GivenReviews({ page, onPage, onCorrect, opener }: GivenReviewsProps) {
  const { data, error, refetch } = useQuery(givenQuery(page))
  const client = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const totalPages = data?.pagination.totalPages ?? 0
  const leadingOn = useRedirectPastEnd(page, data?.pagination.totalPages)
  const retry = () => void refetch()
  const columns = useMemo(() => columnsFor(onCorrect, opener), [onCorrect, opener])
  return (
    <div className="page">
      <PageHead title="What You Reviewed" art="pending" heading={heading}>
        Each has the name that you saw while reviewing. Submitters never learn that it was you.
      </PageHead>
      {((!data && !error) || leadingOn) && <Loading label="Loading what you reviewed" fillsScreen />}
      {error && !data && <ErrorState message={explain(error)} onRetry={retry} />}
      <RefreshFailed error={data && error} onRetry={retry} />
      {data?.howYouReview && page === 1 && <HowYouReview habit={data.howYouReview} />}
      {data?.data.length === 0 && !leadingOn && (
        <EmptyState message="You have not reviewed anything yet." art="pending">
          <LinkButton to="/pending-assignments">Review something</LinkButton>
        </EmptyState>
      )}
      {data && data.data.length > 0 && (
        <DataTable
          caption="What you reviewed, newest first"
          columns={columns}
          rows={data.data}
          rowKey={keyOf}
        />
      )}
      {totalPages > 1 && (
        <div className="mt-8 min-h-11">
          <Pages
            page={page}
            totalPages={totalPages}
            onPage={(next) => {
              onPage(next)
              heading.current?.focus()
            }}
            onIntent={(next) => void client.prefetchQuery(givenQuery(next))}
          />
        </div>
      )}
    </div>
  )
}

const keyOf = ({ _id }: GivenReview) => _id

const columnsFor = (onCorrect: GivenReviewsProps['onCorrect'], opener: object): Column<GivenReview>[] => [
  {
    header: 'Submission',
    card: 'heading',
    className: 'lg:w-72',
    cell: ({ _id, submissionLabel, assignmentTitle, may }) => (
      <>
        <span id={`review-${_id}`} className="font-semibold">
          {submissionLabel}
        </span>
        <p className="text-sm text-soft">
          <bdi>{assignmentTitle}</bdi>
        </p>
        {may.correct && (
          <Button
            variant="plain"
            size="sm"
            className="-ms-3"
            aria-describedby={`review-${_id}`}
            {...opener}
            onClick={() => void onCorrect(_id)}
          >
            Correct
          </Button>
        )}
      </>
    ),
  },
  {
    header: 'Status',
    cell: ({ settledMark }) =>
      settledMark === undefined ? (
        <Badge tone="quiet">waiting</Badge>
      ) : (
        <Badge tone="success">finalised</Badge>
      ),
  },
  { header: 'Your Mark', numeric: true, cell: ({ mark }) => mark },
  { header: 'Settled Mark', numeric: true, cell: ({ settledMark }) => settledMark ?? 'Not yet' },
  {
    header: 'Helpful',
    className: 'lg:min-w-72',
    cell: ({ helpful, reply }) => (
      <>
        {helpful === undefined ? '--' : helpful ? 'Yes' : 'No'}
        {reply && <Clamped className="text-sm text-soft">{reply}</Clamped>}
      </>
    ),
  },
  {
    header: 'Day',
    cell: ({ day }) => <time dateTime={day}>{day.replaceAll('-', '/')}</time>,
  },
]
