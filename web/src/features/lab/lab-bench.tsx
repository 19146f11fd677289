import { useState, type DragEvent } from 'react'
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
        aria-label="Files"
        className="grid gap-5 rounded-card border border-dashed border-edge p-5 sm:p-6"
      >
        <p className="max-w-prose">
          Drop a CSV file here, or choose one. Its first line is{' '}
          <code className="wrap-anywhere">assignment,submission,reviewer,mark,total</code>; each further line
          is a review.
        </p>
        <div className="grid gap-5 md:grid-cols-2">
          <FileInput label="Reviews" onFile={(reviews) => open({ reviews })} />
          <FileInput
            label="Known marks (optional): assignment,submission,mark"
            onFile={(known) => open({ known })}
          />
        </div>
        <div>
          <Button variant="quiet" onClick={() => open({ reviews: sample(), known: undefined })}>
            Use the sample class
          </Button>
        </div>
      </section>
      <p role="status" className={problem ? 'font-semibold text-red' : 'text-soft'}>
        {busy ? 'Grading…' : (problem ?? (comparison && summaryOf(comparison)))}
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
  `${submissionsText(rows.length)}, ${reviewsText(reviews)} by ${reviewersText(reviewers.length)}.`

const submissionsText = (n: number) => (n === 1 ? '1 submission' : `${n.toLocaleString('en')} submissions`)
const reviewsText = (n: number) => (n === 1 ? '1 review' : `${n.toLocaleString('en')} reviews`)
const reviewersText = (n: number) => (n === 1 ? '1 reviewer' : `${n.toLocaleString('en')} reviewers`)

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
          <h2 id="marks-heading">Marks</h2>
          <Button variant="quiet" onClick={() => download(comparison)}>
            Download
          </Button>
        </div>
        <p className="max-w-prose text-soft">
          The range below a mark is where a panel of experts would lie in 8 of 10 cases.
        </p>
        {reviewers.length > 1 && (
          <Select
            label="Leave out a reviewer"
            className="max-w-sm"
            value={without}
            onChange={({ currentTarget }) => onWithout(currentTarget.value)}
          >
            <option value="">None</option>
            {reviewers.slice(0, offered).map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </Select>
        )}
        <Paged
          caption="Marks by each model"
          columns={without === '' ? markColumns() : [...markColumns(), withoutColumn()]}
          rows={rows}
          rowKey={keyOf}
        />
      </section>
      <section aria-labelledby="reviewers-heading" className="grid gap-5">
        <h2 id="reviewers-heading">Reviewers</h2>
        <p className="max-w-prose text-soft">
          How SC2 rates each reviewer by their other reviews. Those who count least come first.
        </p>
        <Paged
          caption="Reviewers, least weight first"
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
            Show more of {rows.length.toLocaleString('en')}
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
              {rounded(low, total).toFixed(1)} to {rounded(high, total).toFixed(1)}
            </span>
          )}
        </>
      )
    },
  }
}

const markColumns = (): Column<LabRow>[] => [
  {
    header: 'Submission',
    compact: 'heading',
    cell: ({ assignment, name, total, known }) => (
      <>
        <b dir="auto">{name}</b>
        <span className="block text-sm text-soft">
          {known === undefined ? (
            <>
              <bdi>{assignment}</bdi>, of {total}
            </>
          ) : (
            <>
              <bdi>{assignment}</bdi>, of {total}, known to be {known}
            </>
          )}
        </span>
      </>
    ),
  },
  { header: 'Reviews', numeric: true, cell: ({ reviews }) => reviews },
  markColumn('SC2', 'SC2'),
  markColumn('SC1K', 'SC1K'),
  markColumn('SC1', 'SC1'),
  markColumn('mean', 'Mean'),
  markColumn('median', 'Median'),
]

const withoutColumn = (): Column<LabRow> => ({
  header: 'SC2 without',
  numeric: true,
  cell: ({ without, marks }) => {
    if (without === null || without === undefined) return 'no other review'
    return Math.abs(without - marks.SC2.estimate) < 0.005 ? two(without) : <b>{two(without)}</b>
  },
})

const percent = (x: number) => percentOf(100 * x, 0)

const reviewerColumns = (): Column<LabReviewer>[] => [
  { header: 'Reviewer', compact: 'heading', cell: ({ name }) => <b dir="auto">{name}</b> },
  { header: 'Reviews', numeric: true, cell: ({ reviews }) => reviews },
  {
    header: 'Strictness',
    numeric: true,
    cell: ({ strictness }) => {
      if (Math.abs(strictness) < 0.005) return 'like the others'
      const by = percent(Math.abs(strictness))
      return strictness < 0 ? `${by} stricter` : `${by} more generous`
    },
  },
  { header: 'Looks at the work', numeric: true, cell: ({ looked }) => percent(looked) },
  { header: 'Weight', numeric: true, cell: ({ weight }) => two(weight) },
]
