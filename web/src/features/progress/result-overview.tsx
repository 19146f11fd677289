import { plural, t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Button, failed, showConfirm, toast } from '@/components/ui'
import { percent } from '@/lib/rounded'
import { ChartFigure, ChartTable } from './chart-figure'
import { DistributionChart } from './distribution-chart'
import { finalizeAll, summaryQuery, type ResultSummary } from '@/entities/result/queries'
import { WhereToLook } from './where-to-look'

interface ResultOverviewProps {
  assignmentId: string
  severalReview: boolean
  /** Opens a submission. */
  onOpen: (submissionId: string) => void
  /** Shows those that wait for the creator. */
  onWaiting: () => void
}

/** Results that wait for the creator, the distribution of marks, and outliers. */
export default function ResultOverview({
  assignmentId,
  severalReview,
  onOpen,
  onWaiting,
}: ResultOverviewProps) {
  const { data } = useQuery(summaryQuery(assignmentId))
  const { mutateAsync, isPending } = useMutation(finalizeAll)
  if (!data || data.total === 0) return null
  const { waiting, ready, marked, averagePercent, counted, total } = data

  async function finalize() {
    const sure = await showConfirm({
      title: t`Finalize all?`,
      text: finalizeText(ready),
      confirm: t`Finalize all`,
    })
    if (!sure) return
    try {
      const settled = await mutateAsync(assignmentId)
      toast(t`${settled} finalized`)
    } catch (error) {
      void failed(error)
    }
  }

  return (
    <div className="mt-8 mb-6 grid grid-cols-1 gap-6">
      {(waiting > 0 || ready > 0) && (
        <div className="flex flex-wrap items-center gap-3">
          {waiting > 0 && (
            <Button size="sm" onClick={onWaiting}>
              {plural(waiting, { one: `${waiting} waits for you`, other: `${waiting} wait for you` })}
            </Button>
          )}
          {ready > 0 && (
            <Button variant="quiet" size="sm" busy={isPending} onClick={finalize}>
              {isPending ? t`Finalizing…` : t`Finalize all (${ready})`}
            </Button>
          )}
        </div>
      )}
      {counted < total && (
        <p className="max-w-prose text-sm text-soft">
          {plural(total, {
            one: `The figures below cover the newest ${counted} of ${total} submission.`,
            other: `The figures below cover the newest ${counted} of ${total} submissions.`,
          })}
        </p>
      )}
      {averagePercent !== undefined && (
        <div className="grid grid-cols-1 gap-x-10 gap-y-6 rounded-card border border-line bg-raised p-5 lg:grid-cols-2">
          <ChartFigure
            title={t`Distribution`}
            className="min-h-48"
            chart={<DistributionChart tenths={data.distribution} />}
            table={<DistributionTable summary={data} />}
          />
          <section aria-label={t`Average and outliers`} className="min-w-0">
            <p>
              <Average average={averagePercent} marked={marked} />
            </p>
            <Outliers summary={data} onOpen={onOpen} />
          </section>
        </div>
      )}
      {severalReview && <WhereToLook assignmentId={assignmentId} onOpen={onOpen} />}
    </div>
  )
}

const finalizeText = (ready: number) =>
  [
    plural(ready, {
      one: `${ready} submission has reviews but no mark yet.`,
      other: `${ready} submissions have reviews but no mark yet.`,
    }),
    plural(ready, {
      one: 'Its mark is calculated from the reviews received so far, and the submitter sees it at once.',
      other:
        'Their marks are calculated from the reviews received so far, and the submitters see them at once.',
    }),
  ].join(' ')

function Average({ average, marked }: { average: number; marked: number }) {
  const figure = <b className="font-display text-xl tabular-nums">{percent(average)}</b>
  return (
    <Trans>
      {figure} average, {marked} <Plural value={marked} one="mark" other="marks" />
    </Trans>
  )
}

function DistributionTable({ summary }: { summary: ResultSummary }) {
  return (
    <ChartTable
      caption={t`Distribution`}
      columns={[{ header: t`Percent of the total` }, { header: t`Marks`, numeric: true }]}
    >
      {summary.distribution.map(({ from, to, count }) => (
        <tr key={from}>
          <td>{t`${from} to ${to}`}</td>
          <td className="text-end">{count}</td>
        </tr>
      ))}
    </ChartTable>
  )
}

type Outlier = ResultSummary['outliers'][number]

/** Whose submission is an outlier, and why. */
function WithReason({ outlier }: { outlier: Outlier }) {
  const { kind, submitterName, givenMark, marks, lowest, highest } = outlier
  const who = <bdi>{submitterName ?? t`Unknown`}</bdi>
  switch (kind) {
    case 'low':
      return (
        <Trans>
          {who}: {givenMark} of {marks}, far below the others
        </Trans>
      )
    case 'high':
      return (
        <Trans>
          {who}: {givenMark} of {marks}, far above the others
        </Trans>
      )
    case 'apart':
      return (
        <Trans>
          {who}: its reviews are far apart, {lowest} to {highest} of {marks}
        </Trans>
      )
  }
}

function Outliers({
  summary: { outliers, marked },
  onOpen,
}: Pick<ResultOverviewProps, 'onOpen'> & { summary: ResultSummary }) {
  return (
    <>
      <h3 className="mt-4 text-base">{t`Outliers`}</h3>
      <p className="mt-1 max-w-prose text-sm text-soft">
        <Trans>
          A mark is listed if it is outside the middle half of all marks by more than one and a half times
          that half’s width and 10% of the total, or if its reviews are 40% of the total apart.
        </Trans>
        {marked < 5 && ` ${t`Marks are compared once there are five.`}`}
      </p>
      {outliers.length === 0 && <p className="mt-2">{t`None.`}</p>}
      <ul className="mt-2 grid grid-cols-1 gap-1">
        {outliers.map((outlier) => (
          <li key={outlier._id}>
            <button
              type="button"
              className="link min-h-8 text-start wrap-anywhere"
              onClick={() => onOpen(outlier._id)}
            >
              <WithReason outlier={outlier} />
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
