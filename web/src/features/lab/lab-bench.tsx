import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type DragEvent, type ReactNode } from 'react'
import { Button, DataTable, Select, type Column } from '@/components/ui'
import type { ModelName } from '@/lib/grade-model/models'
import { percent as percentOf, rounded } from '@/lib/rounded'
import { save } from '@/lib/save'
import { csvOf, type Comparison, type LabReviewer, type LabRow } from './compare'
import { sampleClass } from './sample-class'
import { useLab } from './use-lab'

const sample = () => new Blob([sampleClass], { type: 'text/csv' })

/** The files and what the models make of them. */
export default function LabBench() {
  const { state, run } = useLab()
  const [files, setFiles] = useState<{ reviews?: Blob; known?: Blob }>({})
  const { busy, comparison, problem, without = '' } = state

  const firstLine = <code className="wrap-anywhere">assignment,submission,reviewer,mark,total</code>

  function open(changed: { reviews?: Blob; known?: Blob }) {
    const next = { ...files, ...changed }
    setFiles(next)
    if (next.reviews) run({ reviews: next.reviews, known: next.known })
  }

  function drop(event: DragEvent) {
    event.preventDefault()
    const [file] = event.dataTransfer.files
    if (file) open({ reviews: file })
  }

  return (
    <div className="mt-8 grid gap-10" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <section
        aria-label={t`Files`}
        className="grid gap-5 rounded-card border border-dashed border-edge p-5 sm:p-6"
      >
        <p className="max-w-prose">
          <Trans>
            Drop a CSV file here, or choose one. Its first line is {firstLine}; each further line is a review.
          </Trans>
        </p>
        <div className="grid gap-5 md:grid-cols-2">
          <FileInput label={t`Reviews`} onFile={(reviews) => open({ reviews })} />
          <FileInput
            label={t`Known marks (optional): assignment,submission,mark`}
            onFile={(known) => open({ known })}
          />
        </div>
        <div>
          <Button variant="quiet" onClick={() => open({ reviews: sample(), known: undefined })}>
            {t`Use the sample class`}
          </Button>
        </div>
      </section>
      <p role="status" className={problem ? 'font-semibold text-red' : 'text-soft'}>
        {busy ? t`Grading…` : (problem ?? (comparison && summaryOf(comparison)))}
      </p>
      {comparison && (
        <Results
          key={files.reviews?.size}
          comparison={comparison}
          without={without}
          onWithout={(name) =>
            files.reviews && run({ reviews: files.reviews, known: files.known, without: name || undefined })
          }
        />
      )}
    </div>
  )
}

function FileInput({ label, onFile }: { label: string; onFile: (file: File) => void }) {
  return (
    <label className="grid gap-2 font-semibold">
      {label}
      <input
        type="file"
        accept=".csv,text/csv"
        className="max-w-full min-w-0 font-normal file:me-3 file:min-h-11 file:cursor-pointer file:rounded-control file:border file:border-edge file:bg-raised file:px-4 file:font-semibold file:text-ink"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file) onFile(file)
          currentTarget.value = ''
        }}
      />
    </label>
  )
}

const summaryOf = ({ rows, reviewers, reviews }: Comparison) =>
  t`${plural({ submissions: rows.length }, { one: '# submission', other: '# submissions' })}, ${plural(reviews, { one: '# review', other: '# reviews' })} by ${plural({ reviewers: reviewers.length }, { one: '# reviewer', other: '# reviewers' })}.`

const pageOf = 50
/** The number of reviewers to choose from: a list of thousands would take seconds to draw. */
const offered = 500

interface ResultsProps {
  comparison: Comparison
  without: string
  onWithout: (name: string) => void
}

function Results({ comparison, without, onWithout }: ResultsProps) {
  const { rows, reviewers } = comparison
  return (
    <>
      <section aria-labelledby="marks-heading" className="grid gap-5">
        <div className="flex flex-wrap items-end justify-between gap-4">
          <h2 id="marks-heading">{t`Marks`}</h2>
          <Button variant="quiet" onClick={() => download(comparison)}>
            {t`Download`}
          </Button>
        </div>
        <p className="max-w-prose text-soft">
          {t`The range below a mark is where a panel of experts would lie in 8 of 10 cases.`}
        </p>
        {reviewers.length > 1 && (
          <Select
            label={t`Leave out a reviewer`}
            className="max-w-sm"
            value={without}
            onChange={({ currentTarget }) => onWithout(currentTarget.value)}
          >
            <option value="">{t`None`}</option>
            {reviewers.slice(0, offered).map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </Select>
        )}
        <Paged
          caption={t`Marks by each model`}
          columns={without === '' ? markColumns() : [...markColumns(), withoutColumn()]}
          rows={rows}
          rowKey={keyOf}
        />
      </section>
      <section aria-labelledby="reviewers-heading" className="grid gap-5">
        <h2 id="reviewers-heading">{t`Reviewers`}</h2>
        <p className="max-w-prose text-soft">
          {t`How SC2 rates each reviewer by their other reviews. Those who count least come first.`}
        </p>
        <Paged
          caption={t`Reviewers, least weight first`}
          columns={reviewerColumns()}
          rows={reviewers}
          rowKey={nameOf}
        />
      </section>
    </>
  )
}

interface PagedProps<Row> {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
}

/** A table that shows its first rows, and more on request: thousands of rows would take seconds to draw. */
function Paged<Row>({ rows, ...table }: PagedProps<Row>) {
  const [shown, setShown] = useState(pageOf)
  return (
    <>
      <DataTable {...table} rows={rows.slice(0, shown)} />
      {shown < rows.length && (
        <div>
          <Button variant="quiet" onClick={() => setShown(shown + 4 * pageOf)}>
            {t`Show more of ${{ total: rows.length.toLocaleString('en') }}`}
          </Button>
        </div>
      )}
    </>
  )
}

const download = (comparison: Comparison) =>
  save(new Blob([csvOf(comparison)], { type: 'text/csv' }), 'marks.csv')

const keyOf = ({ key }: LabRow) => key
const nameOf = ({ name }: LabReviewer) => name
const two = (x: number) => x.toFixed(2)

function markColumn(model: ModelName, header: string): Column<LabRow> {
  return {
    header,
    numeric: true,
    cell: ({ marks, total }) => {
      const { estimate, low, high } = marks[model]
      return (
        <>
          <span className="tabular-nums">{rounded(estimate, total, 2).toFixed(2)}</span>
          {low !== undefined && high !== undefined && (
            <span className="ms-2 text-sm whitespace-nowrap text-soft tabular-nums lg:ms-0 lg:block">
              {t`${{ low: rounded(low, total).toFixed(1) }} to ${{ high: rounded(high, total).toFixed(1) }}`}
            </span>
          )}
        </>
      )
    },
  }
}

function Worth({
  assignment,
  total,
  known,
}: {
  assignment: ReactNode
  total: number
  known?: number | undefined
}) {
  if (known === undefined)
    return (
      <Trans>
        {assignment}, of {total}
      </Trans>
    )
  return (
    <Trans>
      {assignment}, of {total}, known to be {known}
    </Trans>
  )
}

const markColumns = (): Column<LabRow>[] => [
  {
    header: t`Submission`,
    compact: 'heading',
    cell: ({ assignment, name, total, known }) => (
      <>
        <b dir="auto">{name}</b>
        <span className="block text-sm text-soft">
          <Worth assignment={<bdi>{assignment}</bdi>} total={total} known={known} />
        </span>
      </>
    ),
  },
  { header: t`Reviews`, numeric: true, cell: ({ reviews }) => reviews },
  markColumn('SC2', 'SC2'),
  markColumn('SC1K', 'SC1K'),
  markColumn('SC1', 'SC1'),
  markColumn('mean', t`Mean`),
  markColumn('median', t`Median`),
]

const withoutColumn = (): Column<LabRow> => ({
  header: t`SC2 without`,
  numeric: true,
  cell: ({ without, marks }) => {
    if (without === null || without === undefined) return t`no other review`
    return Math.abs(without - marks.SC2.estimate) < 0.005 ? two(without) : <b>{two(without)}</b>
  },
})

const percent = (x: number) => percentOf(100 * x, 0)

const reviewerColumns = (): Column<LabReviewer>[] => [
  { header: t`Reviewer`, compact: 'heading', cell: ({ name }) => <b dir="auto">{name}</b> },
  { header: t`Reviews`, numeric: true, cell: ({ reviews }) => reviews },
  {
    header: t`Strictness`,
    numeric: true,
    cell: ({ strictness }) => {
      if (Math.abs(strictness) < 0.005) return t`like the others`
      const by = percent(Math.abs(strictness))
      return strictness < 0 ? t`${by} stricter` : t`${by} more generous`
    },
  },
  { header: t`Looks at the work`, numeric: true, cell: ({ looked }) => percent(looked) },
  { header: t`Weight`, numeric: true, cell: ({ weight }) => two(weight) },
]
