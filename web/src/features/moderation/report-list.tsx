import { t } from '@lingui/core/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, type RefObject } from 'react'
import { Button, ListPage, lazyDialog, showConfirm, toast } from '@/components/ui'
import { explain } from '@/lib/problem'
import { usePage } from '@/lib/search-params'
import { useRowFocus } from '@/lib/use-row-focus'
import { decide, reportsQuery, type Decision, type Report } from '@/entities/report/queries'
import { Reported } from './reported'

// Its form is a third of the page's code.
const hideDialog = lazyDialog(() => import('./hide-dialog'), { title: () => t`Hide` })

interface Choice {
  action: Decision
  name: string
  done: string
  question?: string
}

const decisions = (): readonly Choice[] => [
  { action: 'dismiss', name: t`Dismiss`, done: t`Dismissed` },
  {
    action: 'hide',
    name: t`Hide`,
    done: t`Hidden`,
    question: t`Only its author will see it, with the reason. You can restore it under Decisions.`,
  },
  {
    action: 'suspend',
    name: t`Suspend`,
    done: t`Suspended`,
    question: t`It will be hidden, and its author’s account closed.`,
  },
]

/** Questions before decisions about kinds whose author the moderator does not learn. */
const blindQuestions = (): Partial<Record<Report['kind'], Partial<Record<Decision, string>>>> => ({
  review: {
    suspend: t`It will be hidden, and its author’s account closed. You will not learn whose it is.`,
  },
  submission: {
    hide: t`The answers will be hidden, and the work stays. You can restore them under Decisions.`,
    suspend: t`The submitter’s account will be closed. You will not learn whose it is.`,
  },
})

/** Of a submission only the answers to reviewers can be hidden: its reviewers have read it. */
const decisionsOn = ({ kind, answers, mayDecide, maySuspend }: Report) =>
  decisions().filter(
    ({ action }) =>
      mayDecide &&
      (action !== 'hide' || kind !== 'submission' || answers) &&
      (action !== 'suspend' || maySuspend),
  )

const questionOf = (report: Report, { action, question }: Choice) =>
  blindQuestions()[report.kind]?.[action] ?? question

interface ReportListProps {
  /** The circle whose organizers decide; absent for the moderators. */
  circle?: string
  /** Takes the focus after a decision. */
  heading: RefObject<HTMLElement | null>
}

/** Open reports to decide on, oldest first. */
export function ReportList({ circle, heading }: ReportListProps) {
  const { page } = usePage()
  const reports = useQuery(reportsQuery(page, circle))
  const { mutateAsync, isPending, variables } = useMutation(decide)
  const [hiding, setHiding] = useState<{ report: Report; choice: Choice }>()
  const { container, onFocus } = useRowFocus<HTMLDivElement>('li', heading)

  async function choose(report: Report, choice: Choice) {
    const { action, name, done } = choice
    // Its author reads why.
    if (action === 'hide') {
      setHiding({ report, choice })
      return
    }
    const text = questionOf(report, choice)
    const sure = !text || (await showConfirm({ title: t`Are you sure?`, text, confirm: name, danger: true }))
    if (!sure) return
    try {
      await mutateAsync({ id: report._id, action })
      heading.current?.focus()
      toast(done)
    } catch (failure) {
      toast(explain(failure), 'error')
    }
  }

  return (
    <>
      <ListPage
        list={reports}
        totalPages={reports.data?.pagination.totalPages}
        loading={t`Loading reports`}
        fillsScreen={!circle}
        heading={heading}
        empty={
          reports.data?.data.length === 0 && <p className="mt-4 text-soft">{t`No reports. All is well.`}</p>
        }
      >
        {({ data }) => (
          <div ref={container} onFocus={onFocus}>
            <ul className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-6">
              {data.map((report) => (
                <li key={report._id} className="rounded-card border border-line bg-raised p-5">
                  <article aria-labelledby={`reason-${report._id}`}>
                    <h2 id={`reason-${report._id}`} dir="auto" className="text-lg wrap-anywhere">
                      {report.reason}
                    </h2>
                    <Reported report={report} />
                    {!report.mayDecide && (
                      <p className="mt-4 text-sm text-soft">
                        {circle
                          ? t`You cannot decide here: it is yours, or the circle is archived.`
                          : t`The operator decides about moderators.`}
                      </p>
                    )}
                    <div className="mt-4 flex flex-wrap gap-2 empty:hidden">
                      {decisionsOn(report).map((decision) => (
                        <Button
                          key={decision.action}
                          size="sm"
                          variant={decision.action === 'suspend' ? 'danger' : 'quiet'}
                          busy={
                            isPending && variables.id === report._id && variables.action === decision.action
                          }
                          aria-describedby={`reason-${report._id}`}
                          {...(decision.action === 'hide' && hideDialog.opener)}
                          onClick={() => choose(report, decision)}
                        >
                          {decision.name}
                        </Button>
                      ))}
                    </div>
                  </article>
                </li>
              ))}
            </ul>
          </div>
        )}
      </ListPage>
      {hiding && (
        <hideDialog.Dialog
          id={hiding.report._id}
          hint={questionOf(hiding.report, hiding.choice) ?? ''}
          send={(reason) => mutateAsync({ id: hiding.report._id, action: 'hide', reason })}
          onClose={() => setHiding(undefined)}
          onSent={() => {
            heading.current?.focus()
            toast(hiding.choice.done)
          }}
        />
      )}
    </>
  )
}
