import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button, Clamped, ErrorState, Loading, RenderedText, lazyView } from '@/components/ui'
import { Report } from '@/entities/report/report'
import { explain } from '@/lib/problem'
import { InCircle } from '@/entities/report/mutations'
import { EarlierVersions } from './earlier-versions'
import { Levels } from './levels'
import { MarkOf } from './mark-of'
import { reviewsQuery, type ReceivedReviews as Received } from '@/entities/review/queries'
import { ReviewQuestion } from './review-question'
import { SelfAssessment } from './self-assessment'

type Review = Received['data'][number]

const ReplyForm = lazyView(() => import('./reply-form'), { label: () => t`Loading the form` })

interface ReceivedReviewsProps {
  submissionId: string
  total: number
  /** They are about the reader's own work. */
  own: boolean
}

/** The reviews, under the letters that the sums use. */
export function ReceivedReviews({ submissionId, total, own }: ReceivedReviewsProps) {
  const { data, error, refetch } = useQuery(reviewsQuery(submissionId))
  return (
    <section aria-labelledby="reviews-heading">
      <h2 id="reviews-heading">{t`What the reviewers said`}</h2>
      {!data && !error && <Loading label={t`Loading the reviews`} />}
      {!data && error && <ErrorState message={explain(error)} onRetry={() => void refetch()} />}
      <ul className="mt-4 grid items-start gap-4 lg:grid-cols-2">
        {data?.data.map((review) => (
          <li
            key={review._id}
            className="grid min-w-0 content-start gap-3 rounded-card border border-line bg-raised p-5"
          >
            <h3 id={`review-${review._id}`} className="flex items-baseline justify-between gap-3">
              <span>{t`Review ${{ label: review.label }}`}</span>
              <span className="tabular-nums">
                <MarkOf mark={review.mark} total={total} />
              </span>
            </h3>
            {review.levels && data.rubric && <Levels chosen={review.levels} rubric={data.rubric} />}
            <Clamped className={review.feedback ? undefined : 'text-soft'}>
              {review.html ? <RenderedText html={review.html} /> : review.feedback || t`No feedback.`}
            </Clamped>
            {review.question && <ReviewQuestion {...review.question} />}
            {!own && (
              <EarlierVersions submissionId={submissionId} label={review.label} rubric={data.rubric} />
            )}
            <InCircle value={data.circleId}>
              <Answer submissionId={submissionId} review={review} own={own} mayReply={data.mayReply} />
            </InCircle>
          </li>
        ))}
        {data?.selfAssessment && data.rubric && (
          <SelfAssessment {...data.selfAssessment} rubric={data.rubric} total={total} own={own} />
        )}
      </ul>
    </section>
  )
}

function helpfulText(own: boolean, helpful: boolean): string {
  if (own) return helpful ? t`You found this helpful.` : t`You found this not helpful.`
  return helpful ? t`The submitter found this helpful.` : t`The submitter found this not helpful.`
}

interface AnswerProps {
  submissionId: string
  review: Review
  own: boolean
  mayReply: boolean
}

/** The submitter's reply to a review, which only they can write. */
function Answer({ submissionId, review, own, mayReply }: AnswerProps) {
  const [replying, setReplying] = useState(false)
  const { _id: id, helpful, reply } = review
  if (replying) {
    return <ReplyForm submissionId={submissionId} review={review} onClose={() => setReplying(false)} />
  }
  return (
    <div className="grid gap-1">
      {helpful !== undefined && <p className="text-sm font-semibold">{helpfulText(own, helpful)}</p>}
      {reply && <Clamped className="border-s-4 border-line ps-3 text-sm">{reply}</Clamped>}
      <div className="-mx-3 -mb-2 flex flex-wrap gap-1">
        {mayReply && (
          <Button
            variant="plain"
            size="sm"
            aria-describedby={`review-${id}`}
            onClick={() => setReplying(true)}
          >
            {helpful === undefined ? t`Reply` : t`Change your reply`}
          </Button>
        )}
        {mayReply && <Report kind="review" id={id} describedBy={`review-${id}`} />}
      </div>
    </div>
  )
}
