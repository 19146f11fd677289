import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import {
  AppLink,
  Button,
  DataTable,
  Dialog,
  DialogActions,
  ErrorState,
  Loading,
  TextArea,
  showAlert,
  type Column,
} from '@/components/ui'
import { explain } from '@/lib/problem'
import { showFieldErrors } from '@/lib/server-errors'
import { settle } from './grade-model'
import { IntervalPicture } from './interval-picture'
import { appeal, markQuery, type MarkExplanation } from './queries'

const sentences =
  "Your mark is the average of your reviews, with the assignment's usual mark counting as one more review. Each review is corrected for how strict its reviewer has been on other work, and counts less if that reviewer's marks do not follow the work or it lies far from the others. It is never below your lowest nor above your highest review."

const round = (x: number) => x.toFixed(2)

/** What a mark was made of: the reviews, the formula with its numbers, the interval, and the history. */
export function MarkPage({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(markQuery(id))
  return (
    <div className="page">
      <h1>How was my mark made?</h1>
      {data ? (
        <Explanation mark={data} />
      ) : error ? (
        <ErrorState message={explain(error)} onRetry={() => void refetch()} />
      ) : (
        <Loading label="Loading how the mark was made" fillsScreen />
      )}
    </div>
  )
}

function Explanation({ mark }: { mark: MarkExplanation }) {
  const { assignmentTitle, givenMark, total, estimate, interval, reviews } = mark
  const [appealing, setAppealing] = useState(false)
  return (
    <div className="mt-4 grid max-w-3xl gap-10">
      <p className="text-lg">
        <bdi className="font-semibold">{assignmentTitle}</bdi>: {givenMark} of {total}
      </p>
      <p className="max-w-prose">{sentences}</p>
      {estimate !== undefined && interval && (
        <>
          <section aria-labelledby="interval-heading">
            <h2 id="interval-heading">How sure is it?</h2>
            <p className="mt-2">
              In 8 of 10 cases a panel of experts would give {round(interval.low)} to {round(interval.high)}{' '}
              of {total}.
            </p>
            <IntervalPicture total={total} estimate={estimate} {...interval} reviews={reviews} />
          </section>
          <Reviews mark={mark} estimate={estimate} />
        </>
      )}
      <History mark={mark} />
      <div className="flex flex-wrap gap-3">
        <Button variant="quiet" onClick={() => download(mark)}>
          Download
        </Button>
        <Button variant="quiet" onClick={() => setAppealing(true)}>
          Appeal
        </Button>
        <AppLink to="/attemded-assignments" className="link self-center">
          My Attempted Assignments
        </AppLink>
      </div>
      {appealing && <AppealDialog id={mark.submissionId} onClose={() => setAppealing(false)} />}
    </div>
  )
}

function Reviews({ mark, estimate }: { mark: MarkExplanation; estimate: number }) {
  const { reviews, total, usual = 0, usualMark = 0, noise = 0, givenMark } = mark
  const [agrees, setAgrees] = useState('')
  const weights = reviews.reduce((sum, { counted }) => sum + counted, 1)
  function recompute() {
    const made = settle({ total, usual, noise, reviews })
    const same = made.mark === givenMark && Math.abs(made.estimate - estimate) < 1e-6
    setAgrees(
      same
        ? `Computed here: ${made.estimate.toFixed(4)}, so ${made.mark}. It agrees.`
        : `Computed here: ${made.estimate.toFixed(4)}, so ${made.mark}. It does not agree.`,
    )
  }
  return (
    <section aria-labelledby="reviews-heading" className="grid gap-4">
      <h2 id="reviews-heading">The reviews</h2>
      <DataTable
        caption="The reviews and what they count as"
        columns={columns}
        rows={[...reviews, { label: 'Usual mark', countsAs: usualMark, counted: 1 }]}
        rowKey={(row) => row.label}
      />
      <p className="tabular-nums">
        ({reviews.map(({ counted, countsAs }) => `${round(counted)} × ${countsAs.toFixed(1)}`).join(' + ')} +
        1 × {usualMark.toFixed(1)}) ÷ {round(weights)}, computed on angles, makes {estimate.toFixed(4)}: the
        mark {givenMark}.
      </p>
      <div className="flex flex-wrap items-center gap-4">
        <Button variant="quiet" onClick={recompute}>
          Recompute
        </Button>
        <p role="status">{agrees}</p>
      </div>
    </section>
  )
}

/** A review, or the usual mark, which nobody gave. */
interface Row {
  label: string
  mark?: number
  strictnessMarks?: number
  countsAs: number
  counted: number
}

const columns: Column<Row>[] = [
  { header: 'Review', card: 'heading', cell: ({ label }) => label },
  { header: 'Mark', numeric: true, cell: ({ mark }) => mark ?? '--' },
  { header: 'Strictness', numeric: true, cell: ({ strictnessMarks }) => strictnessMarks?.toFixed(1) ?? '--' },
  { header: 'Counts as', numeric: true, cell: ({ countsAs }) => countsAs.toFixed(1) },
  { header: 'Weighs', numeric: true, cell: ({ counted }) => round(counted) },
]

const reasons: Record<MarkExplanation['settlements'][number]['reason'], string> = {
  'enough-reviews': 'as many reviews as were asked for',
  time: 'seven days had passed',
  early: 'the creator settled it early',
  appeal: 'an appeal',
  reopened: 'reopened by the creator',
  'set-mark': 'set by the creator',
  grade: 'one grade',
}

function History({ mark }: { mark: MarkExplanation }) {
  return (
    <section aria-labelledby="history-heading">
      <h2 id="history-heading">History</h2>
      <ol className="mt-2 grid gap-1">
        {mark.settlements.map(({ n, day, reason, words, mark: given }) => (
          <li key={n}>
            <span className="tabular-nums">{day.replaceAll('-', '/')}</span>: {given} of {mark.total} (
            {reasons[reason]}
            {words && <bdi>: {words}</bdi>})
          </li>
        ))}
      </ol>
    </section>
  )
}

function AppealDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { reason: '' } })
  const { mutateAsync } = useMutation(appeal)
  const { errors, isSubmitting } = formState
  const submit = handleSubmit(async ({ reason }) => {
    try {
      await mutateAsync({ id, reason: reason.trim() })
    } catch (error) {
      if (showFieldErrors(error, ['reason'], setError)) return
      onClose()
      void showAlert({ title: 'Error', text: explain(error), error: true })
      return
    }
    onClose()
    void showAlert({
      title: 'Success!',
      text: 'Two new reviewers will look at it. Your mark stands until then.',
    })
  })
  return (
    <Dialog title="Appeal" onClose={onClose}>
      <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
        <TextArea
          label="Reason"
          hint="What was overlooked. You can appeal once; the reviewers do not see this."
          {...register('reason')}
          error={errors.reason?.message}
          dir="auto"
        />
        <DialogActions>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={isSubmitting}>
            {isSubmitting ? 'Submitting...' : 'Submit'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** All of it as a file, for whoever computes it elsewhere. */
function download(mark: MarkExplanation) {
  const url = URL.createObjectURL(new Blob([JSON.stringify(mark, null, 2)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `mark-${mark.submissionId}.json`
  link.click()
  URL.revokeObjectURL(url)
}
