import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useSearchParams } from 'react-router'
import {
  AppLink,
  Button,
  ErrorState,
  Loading,
  Pages,
  RenderedText,
  showConfirm,
  toast,
} from '@/components/ui'
import { cx } from '@/lib/cx'
import { pageOf } from '@/lib/page-of'
import { explain } from '@/lib/problem'
import { useRedirectPastEnd } from '@/lib/use-redirect-past-end'
import { decide, reportsQuery, type Decision, type Report } from './queries'

const decisions: readonly { action: Decision; name: string; done: string; question?: string }[] = [
  { action: 'dismiss', name: 'Dismiss', done: 'Dismissed' },
  { action: 'hide', name: 'Hide', done: 'Hidden' },
  {
    action: 'suspend',
    name: 'Suspend',
    done: 'Suspended',
    question: 'It will be hidden, and the account of who wrote it closed.',
  },
]

/** What was reported, set apart from what is said of it. */
const quoteClass = 'mt-3 border-s-4 border-line ps-4'

/** What people reported, for moderators to decide on. */
export function ModerationPage() {
  const [params, setParams] = useSearchParams()
  const page = pageOf(params)
  const { data, error, isPending, refetch } = useQuery(reportsQuery(page))
  const { mutateAsync, isPending: busy } = useMutation(decide)
  const heading = useRef<HTMLHeadingElement>(null)
  const leadingOn = useRedirectPastEnd(page, data?.pagination.totalPages)

  async function choose(report: Report, { action, done, question }: (typeof decisions)[number]) {
    const sure =
      !question ||
      (await showConfirm({ title: 'Are you sure?', text: question, confirm: 'Suspend', danger: true }))
    if (!sure) return
    try {
      await mutateAsync({ id: report._id, action })
      heading.current?.focus()
      void toast(done)
    } catch (failure) {
      void toast(explain(failure), 'error')
    }
  }

  return (
    <div className="page">
      <h1 ref={heading} tabIndex={-1}>
        Moderation
      </h1>
      {isPending && <Loading label="Loading reports" fillsScreen />}
      {error && !data && <ErrorState message={explain(error)} onRetry={() => void refetch()} />}
      {data && !leadingOn && data.data.length === 0 && (
        <p className="mt-4 text-soft">Nothing was reported. All is well.</p>
      )}
      <ul className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-6">
        {data?.data.map((report) => (
          <li key={report._id} className="rounded-card border border-line bg-raised p-5">
            <article aria-labelledby={`reason-${report._id}`}>
              <h2 id={`reason-${report._id}`} dir="auto" className="text-lg wrap-anywhere">
                {report.reason}
              </h2>
              <p className="mt-1 text-sm text-soft wrap-anywhere">
                {report.kind === 'comment' ? 'A comment' : 'An assignment'}
                {report.authorName && <> by {<bdi>{report.authorName}</bdi>}</>}
                {report.assignmentId && (
                  <>
                    {' · '}
                    <AppLink
                      className="link"
                      to={`/assignment/${report.assignmentId}${report.kind === 'comment' ? `#comment-${report.subjectId}` : ''}`}
                    >
                      <bdi>{report.assignmentTitle}</bdi>
                    </AppLink>
                  </>
                )}
              </p>
              {report.html ? (
                <RenderedText html={report.html} className={quoteClass} />
              ) : (
                <p dir="auto" className={cx(quoteClass, 'whitespace-pre-line wrap-anywhere')}>
                  {report.text ?? 'It was deleted.'}
                </p>
              )}
              <div className="mt-4 flex flex-wrap gap-2">
                {decisions.map((decision) => (
                  <Button
                    key={decision.action}
                    size="sm"
                    variant={decision.action === 'suspend' ? 'danger' : 'quiet'}
                    busy={busy}
                    aria-describedby={`reason-${report._id}`}
                    onClick={() => void choose(report, decision)}
                  >
                    {decision.name}
                  </Button>
                ))}
              </div>
            </article>
          </li>
        ))}
      </ul>
      {data && (
        <Pages
          page={page}
          totalPages={data.pagination.totalPages}
          onPage={(at) => setParams({ page: String(at) })}
        />
      )}
    </div>
  )
}
