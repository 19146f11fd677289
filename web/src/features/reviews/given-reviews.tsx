import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import {
  Badge,
  Button,
  Clamped,
  DataTable,
  EmptyState,
  LinkButton,
  ListPage,
  PageHead,
  type Column,
} from '@/components/ui'
import { usePage } from '@/lib/search-params'
import { HowYouReview } from './how-you-review'
import { givenQuery, type GivenReview } from '@/entities/review/queries'

interface GivenReviewsProps {
  /** Opens a review to correct it. */
  onCorrect: (reviewId: string) => Promise<void>
  /** For the button that does. */
  opener: object
}

/** The user's reviews, newest first: the mark they gave, the settled mark, and the submitter's reply. */
export function GivenReviews({ onCorrect, opener }: GivenReviewsProps) {
  const { page } = usePage()
  const reviews = useQuery(givenQuery(page))
  const heading = useRef<HTMLHeadingElement>(null)
  const columns = useMemo(() => columnsFor(onCorrect, opener), [onCorrect, opener])
  return (
    <div className="page">
      <PageHead title={t`What You Reviewed`} art="pending" heading={heading}>
        {t`Each submission has the name that you saw while reviewing it. Submitters never learn that it was you.`}
      </PageHead>
      <ListPage
        list={reviews}
        totalPages={reviews.data?.pagination.totalPages}
        loading={t`Loading what you reviewed`}
        fillsScreen
        heading={heading}
      >
        {({ data, howYouReview }) => (
          <>
            {howYouReview && page === 1 && <HowYouReview habit={howYouReview} />}
            {data.length > 0 ? (
              <DataTable
                caption={t`What you reviewed, newest first`}
                columns={columns}
                rows={data}
                rowKey={keyOf}
              />
            ) : (
              <EmptyState message={t`You have not reviewed anything yet.`} art="pending">
                <LinkButton to="/pending-assignments">{t`Review something`}</LinkButton>
              </EmptyState>
            )}
          </>
        )}
      </ListPage>
    </div>
  )
}

const keyOf = ({ _id }: GivenReview) => _id

const columnsFor = (onCorrect: GivenReviewsProps['onCorrect'], opener: object): Column<GivenReview>[] => [
  {
    header: t`Submission`,
    compact: 'heading',
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
            onClick={() => onCorrect(_id)}
          >
            {t`Correct`}
          </Button>
        )}
      </>
    ),
  },
  {
    header: t`Status`,
    cell: ({ settledMark }) =>
      settledMark === undefined ? (
        <Badge tone="quiet">{t`waiting`}</Badge>
      ) : (
        <Badge tone="success">{t`finalized`}</Badge>
      ),
  },
  { header: t`Your Mark`, numeric: true, cell: ({ mark }) => mark },
  { header: t`Settled Mark`, numeric: true, cell: ({ settledMark }) => settledMark ?? t`Not yet` },
  {
    header: t`Helpful`,
    className: 'lg:min-w-72',
    cell: ({ helpful, reply }) => (
      <>
        {helpful === undefined ? '--' : helpful ? t`Yes` : t`No`}
        {reply && <Clamped className="text-sm text-soft">{reply}</Clamped>}
      </>
    ),
  },
  {
    header: t`Day`,
    cell: ({ day }) => <time dateTime={day}>{day.replaceAll('-', '/')}</time>,
  },
]
