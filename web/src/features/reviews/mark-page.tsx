import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  AppLink,
  Badge,
  Button,
  CircledMark,
  ErrorState,
  Loading,
  RefreshFailed,
  SheetDay,
  lazyDialog,
  lazyView,
} from '@/components/ui'
import { isPlain } from '@/lib/grade-model/plain'
import { explain } from '@/lib/problem'
import { rounded } from '@/lib/rounded'
import { save } from '@/lib/save'
import { BesideAverage } from './beside-average'
import { IntervalPicture } from './interval-picture'
import { Levels } from './levels'
import { MarkHistory } from './mark-history'
import { MarkSums } from './mark-sums'
import { PlainSums } from './plain-sums'
import { circleQuery } from '@/entities/circle/queries'
import { markQuery, reviewsQuery, type MarkExplanation } from '@/entities/review/queries'
import { ReceivedReviews } from './received-reviews'

const ReceiptPart = lazyView(() => import('./receipt-part'), { label: () => t`Loading the receipt` })
const appealDialog = lazyDialog(() => import('./appeal-dialog'), { title: () => t`Appeal` })

/** The parts of a mark: its certainty, the reviews, the computation and its history. */
export function MarkPage({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(markQuery(id))
  const retry = () => void refetch()
  return (
    <div className="page">
      <h1 tabIndex={-1}>{data && !data.mine ? t`How was this mark made?` : t`How was my mark made?`}</h1>
      {data && <Explanation mark={data} />}
      <RefreshFailed error={data && error} onRetry={retry} />
      {!data && error && <ErrorState message={explain(error)} onRetry={retry} />}
      {!data && !error && <Loading label={t`Loading how the mark was made`} fillsScreen />}
    </div>
  )
}

function Explanation({ mark }: { mark: MarkExplanation }) {
  const {
    submissionId,
    assignmentTitle,
    total,
    model = '',
    estimate,
    mine,
    appeal,
    reopened,
    appealReason,
    settlements,
  } = mark
  const { data: reviews } = useQuery(reviewsQuery(submissionId))
  const circleId = reviews?.circleId ?? ''
  const { data: circle } = useQuery({ ...circleQuery(circleId), enabled: circleId !== '' })
  return (
    <div className="mt-3 grid gap-12">
      <div data-sheet className="grid gap-12">
        <div className="grid gap-6">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-soft">
            <bdi className="text-lg font-semibold wrap-anywhere">{assignmentTitle}</bdi>
            {appeal && <Badge tone="warning">{t`Under appeal`}</Badge>}
            {reopened && <Badge tone="warning">{t`Reopened`}</Badge>}
          </p>
          {circle && (
            <p className="hidden wrap-anywhere print:block">
              <bdi>{circle.name}</bdi>
            </p>
          )}
          <SheetDay day={settlements.at(-1)?.day.replaceAll('-', '/')} />
          {appealReason && (
            <p className="max-w-prose border-s-4 border-line ps-4">
              <b>{mine ? t`Why you appealed:` : t`Why the submitter appealed:`}</b>{' '}
              <bdi className="whitespace-pre-wrap wrap-anywhere">{appealReason}</bdi>
            </p>
          )}
          <Verdict mark={mark} />
          {estimate !== undefined && (
            <div className="print:hidden">
              <BesideAverage mark={mark} estimate={estimate} />
            </div>
          )}
        </div>
        <ReceivedReviews submissionId={submissionId} total={total} own={mine} />
      </div>
      {estimate !== undefined &&
        (isPlain(model) ? (
          <PlainSums model={model} mark={mark} estimate={estimate} />
        ) : (
          <MarkSums mark={mark} estimate={estimate} />
        ))}
      <MarkHistory mark={mark} />
      <ReceiptPart submissionId={submissionId} />
      <NextSteps mark={mark} />
    </div>
  )
}

/** The mark, and how sure it is. */
function Verdict({ mark }: { mark: MarkExplanation }) {
  const {
    submissionId,
    givenMark,
    total,
    model = '',
    interval,
    usualMark = 0,
    reviews,
    settlements,
    timeline,
    levels,
    rubric,
  } = mark
  if (!interval) {
    const { words = '' } = settlements.at(-1) ?? {}
    const { decider } = timeline.findLast(({ kind }) => kind === 'settled') ?? {}
    return (
      <div className="flex flex-wrap items-center gap-x-8 gap-y-4 rounded-card border border-line bg-raised p-5 sm:p-8">
        <p className="flex items-center gap-2 font-display text-3xl font-bold tabular-nums">
          <CircledMark seed={submissionId} drawn className="min-h-20 min-w-20">
            {givenMark}
          </CircledMark>
          <span className="text-lg font-medium text-soft">{t`of ${total}`}</span>
        </p>
        {isPlain(model) ? (
          <p className="max-w-prose">
            {model === 'mean'
              ? plural({ count: reviews.length }, { other: 'The average of # reviews.' })
              : plural({ count: reviews.length }, { other: 'The median of # reviews.' })}
          </p>
        ) : (
          <p className="max-w-prose">
            <SetBy decider={decider} words={words} />
          </p>
        )}
        {levels && rubric && (
          <div className="basis-full">
            <Levels chosen={levels} rubric={rubric} />
          </div>
        )}
      </div>
    )
  }
  const { low, high } = interval
  const one = (marks: number) => rounded(marks, total).toFixed(1)
  const lowest = one(low)
  const highest = one(high)
  return (
    <section
      aria-labelledby="interval-heading"
      className="grid items-center gap-x-12 gap-y-6 rounded-card border border-line bg-raised p-5 sm:p-8 md:grid-cols-[minmax(0,18rem)_minmax(0,1fr)]"
    >
      <div>
        <h2 id="interval-heading">{t`${givenMark} of ${total}, and how sure that is`}</h2>
        <p className="mt-3">
          <Trans>
            In 8 of 10 cases a panel of experts would give {lowest} to {highest} of {total}.
          </Trans>
        </p>
      </div>
      <IntervalPicture
        seed={submissionId}
        total={total}
        mark={givenMark}
        low={low}
        high={high}
        usualMark={usualMark}
        reviews={reviews}
      />
    </section>
  )
}

/** Who set a mark, and why. */
function SetBy({ decider, words }: { decider: string | undefined; words: string }) {
  const who = <bdi>{decider}</bdi>
  const why = <bdi className="wrap-anywhere">{words}</bdi>
  return decider === undefined ? (
    <Trans>
      <bdi>The creator of the assignment</bdi> set this mark: {why}
    </Trans>
  ) : (
    <Trans>
      {who} set this mark: {why}
    </Trans>
  )
}

function NextSteps({ mark }: { mark: MarkExplanation }) {
  const [appealing, setAppealing] = useState(false)
  const { submissionId, mine, appealUntil } = mark
  const day = appealUntil?.replaceAll('-', '/')
  return (
    <div className="grid gap-3 border-t border-line pt-8">
      {appealUntil && (
        <p className="max-w-prose text-soft">
          <Trans>Was something overlooked? Until {day} you can ask for two new reviewers, once.</Trans>
        </p>
      )}
      <div className="flex flex-wrap items-center gap-3">
        {appealUntil && (
          <Button variant="quiet" {...appealDialog.opener} onClick={() => setAppealing(true)}>
            {t`Appeal`}
          </Button>
        )}
        <Button variant="quiet" onClick={() => download(mark)}>
          {t`Download`}
        </Button>
        {mine && (
          <AppLink to="/attemded-assignments" className="link ms-2">
            {t`My Attempted Assignments`}
          </AppLink>
        )}
      </div>
      {appealing && <appealDialog.Dialog submissionId={submissionId} onClose={() => setAppealing(false)} />}
    </div>
  )
}

/** Downloads the explanation as a file, to be recomputed elsewhere. */
const download = (mark: MarkExplanation) =>
  save(
    new Blob([JSON.stringify(mark, null, 2)], { type: 'application/json' }),
    `mark-${mark.submissionId}.json`,
  )
