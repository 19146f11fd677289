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
      title: 'Finalize all?',
      text: finalizeText(ready),
      confirm: 'Finalize all',
    })
    if (!sure) return
    try {
      const settled = await mutateAsync(assignmentId)
      toast(`${settled} finalized`)
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
              {waiting === 1 ? '1 waits for you' : `${waiting} wait for you`}
            </Button>
          )}
          {ready > 0 && (
            <Button variant="quiet" size="sm" busy={isPending} onClick={finalize}>
              {isPending ? 'Finalizing…' : `Finalize all (${ready})`}
            </Button>
          )}
        </div>
      )}
      {counted < total && (
        <p className="max-w-prose text-sm text-soft">
          The figures below cover the newest {counted} of {total} submissions.
        </p>
      )}
      {averagePercent !== undefined && (
        <div className="grid grid-cols-1 gap-x-10 gap-y-6 rounded-card border border-line bg-raised p-5 lg:grid-cols-2">
          <ChartFigure
            title="Distribution"
            className="min-h-48"
            chart={<DistributionChart tenths={data.distribution} />}
            table={<DistributionTable summary={data} />}
          />
          <section aria-label="Average and outliers" className="min-w-0">
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
  ready === 1
    ? '1 submission has reviews but no mark yet. Its mark is calculated from the reviews received so far, and the submitter sees it at once.'
    : `${ready} submissions have reviews but no mark yet. Their marks are calculated from the reviews received so far, and the submitters see them at once.`

function Average({ average, marked }: { average: number; marked: number }) {
  const figure = <b className="font-display text-xl tabular-nums">{percent(average)}</b>
  return marked === 1 ? (
    <>{figure} average, 1 mark</>
  ) : (
    <>
      {figure} average, {marked} marks
    </>
  )
}

function DistributionTable({ summary }: { summary: ResultSummary }) {
  return (
    <ChartTable
      caption="Distribution"
      columns={[{ header: 'Percent of the total' }, { header: 'Marks', numeric: true }]}
    >
      {summary.distribution.map(({ from, to, count }) => (
        <tr key={from}>
          <td>
            {from} to {to}
          </td>
          <td className="text-end">{count}</td>
        </tr>
      ))}
    </ChartTable>
  )
}

type Outlier = ResultSummary['outliers'][number]

/** Why a submission is an outlier, after its submitter's name. */
function reasonOf({ kind, givenMark, marks, lowest, highest }: Outlier): string {
  switch (kind) {
    case 'low':
      return `${givenMark} of ${marks}, far below the others`
    case 'high':
      return `${givenMark} of ${marks}, far above the others`
    case 'apart':
      return `its reviews are far apart, ${lowest} to ${highest} of ${marks}`
  }
}

function Outliers({
  summary: { outliers, marked },
  onOpen,
}: Pick<ResultOverviewProps, 'onOpen'> & { summary: ResultSummary }) {
  return (
    <>
      <h3 className="mt-4 text-base">Outliers</h3>
      <p className="mt-1 max-w-prose text-sm text-soft">
        A mark is listed if it is outside the middle half of all marks by more than one and a half times that
        half’s width and 10% of the total, or if its reviews are 40% of the total apart.
        {marked < 5 && ' Marks are compared once there are five.'}
      </p>
      {outliers.length === 0 && <p className="mt-2">None.</p>}
      <ul className="mt-2 grid grid-cols-1 gap-1">
        {outliers.map((outlier) => (
          <li key={outlier._id}>
            <button
              type="button"
              className="link min-h-8 text-start wrap-anywhere"
              onClick={() => onOpen(outlier._id)}
            >
              <bdi>{outlier.submitterName ?? 'Unknown'}</bdi>: {reasonOf(outlier)}
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
