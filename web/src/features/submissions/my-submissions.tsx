import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import {
  Badge,
  Button,
  CircledMark,
  EmptyState,
  LinkButton,
  alertBox,
  confirmBox,
  toast,
  type Column,
} from '@/components/ui'
import { useResource } from '@/lib/cache'
import { explain } from '@/lib/problem'
import { useBrand } from '@/lib/site'
import { unturned } from '@/lib/text'
import { useTitle } from '@/lib/use-title'
import {
  fetchMine,
  freshMs,
  mineKey,
  preloadMine,
  withdrawWork,
  type OwnSubmission,
  type SubmissionPage,
} from './api'
import { SubmissionTable } from './submission-table'

const ChangeDialog = lazy(() => import('./change-dialog'))

/** The title; below it, while nobody has graded, what can still be done about it. */
function titleColumn(onChange: (row: OwnSubmission) => void): Column<OwnSubmission> {
  return {
    header: 'Title',
    cell: (row) => (
      <>
        <bdi id={`title-${row._id}`} className="font-semibold">
          {row.assignmentTitle || 'Untitled'}
        </bdi>
        {row.status === 'pending' && (
          <div className="-ms-2 flex flex-wrap">
            <Button
              variant="plain"
              size="sm"
              aria-describedby={`title-${row._id}`}
              onClick={() => onChange(row)}
            >
              Change
            </Button>
            <Button
              variant="plain"
              size="sm"
              className="text-red"
              aria-describedby={`title-${row._id}`}
              onClick={() => void withdraw(row)}
            >
              Withdraw
            </Button>
          </div>
        )}
      </>
    ),
  }
}

async function withdraw({ _id: id }: OwnSubmission) {
  const sure = await confirmBox({
    title: 'Are you sure?',
    text: 'Nobody will mark it then. You can hand the assignment in again.',
    confirm: 'Yes, withdraw it',
    danger: true,
  })
  if (!sure) return
  try {
    await withdrawWork(id)
  } catch (error) {
    void alertBox({
      title: 'Error',
      text: 'Your submission was not withdrawn.',
      detail: explain(error),
      error: true,
    })
    return
  }
  void toast('Submission withdrawn')
}

const otherColumns: Column<OwnSubmission>[] = [
  {
    header: 'Status',
    cell: (row) => (
      <span className="flex flex-wrap gap-2">
        <Badge tone={row.status === 'completed' ? 'success' : 'quiet'}>{row.status}</Badge>
        {row.late && <Badge tone="warning">Late</Badge>}
      </span>
    ),
  },
  { header: 'Total Marks', cell: (row) => row.marks ?? '--', numeric: true },
  {
    header: 'Obtained Marks',
    cell: (row) =>
      row.givenMark == null ? (
        '--'
      ) : (
        <CircledMark seed={row._id} drawn className="font-display font-bold">
          {row.givenMark}
        </CircledMark>
      ),
    numeric: true,
  },
  {
    header: 'Feedback',
    cell: (row) => (
      <span dir="auto" className="block max-w-prose whitespace-pre-line">
        {row.feedback || '--'}
      </span>
    ),
  },
]

interface MySubmissionsProps {
  email: string
  page: number
  onPage: (page: number) => void
}

/** What the user handed in, newest first, with the marks it got. */
export function MySubmissions({ email, page, onPage }: MySubmissionsProps) {
  useTitle(`My Submitted Assignments | ${useBrand()}`)
  const [changing, setChanging] = useState<OwnSubmission | null>(null)
  const columns = useMemo(() => [titleColumn(setChanging), ...otherColumns], [])
  const resource = useResource<SubmissionPage<OwnSubmission>>(
    mineKey(page),
    () => fetchMine(email, page),
    freshMs,
  )
  return (
    <>
      <SubmissionTable
        title="My Submitted Assignments"
        loadingLabel="Loading your submissions"
        caption="What you handed in"
        columns={columns}
        resource={resource}
        page={page}
        onPage={onPage}
        onIntent={(next) => void preloadMine(email, next)}
        empty={
          <EmptyState message="No submitted assignments found." art="submitted">
            <LinkButton to="/assignments">Take your first one</LinkButton>
          </EmptyState>
        }
      />
      <NewMarks rows={resource.data?.rows} />
      {changing && (
        <Suspense>
          <ChangeDialog submission={changing} onClose={() => setChanging(null)} />
        </Suspense>
      )}
    </>
  )
}

/** Tells screen readers of a mark that arrives while the page is open; everybody else sees it being circled. */
function NewMarks({ rows }: { rows: OwnSubmission[] | undefined }) {
  const waiting = useRef<ReadonlySet<string>>(new Set())
  const [news, setNews] = useState('')
  useEffect(() => {
    if (!rows) return
    const marked = rows.filter((row) => row.status === 'completed' && waiting.current.has(row._id))
    waiting.current = new Set(rows.filter((row) => row.status === 'pending').map((row) => row._id))
    if (marked.length === 0) return
    setNews(
      marked
        .map((row) => `${unturned(row.assignmentTitle)}: ${row.givenMark} of ${row.marks} marks.`)
        .join(' '),
    )
  }, [rows])
  return (
    <p role="status" className="sr-only">
      {news}
    </p>
  )
}
