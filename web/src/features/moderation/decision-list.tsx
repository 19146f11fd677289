import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, type ReactNode } from 'react'
import { AppLink, Button, ListPage, Moment, showConfirm, toast } from '@/components/ui'
import { placed } from '@/entities/rubric/rubric'
import { explain } from '@/lib/problem'
import { usePage } from '@/lib/search-params'
import { decisionsQuery, restore, type PastDecision } from '@/entities/report/queries'

type Action = PastDecision['action']
type Subject = Exclude<PastDecision['kind'], 'user'>

/** What `who` did, as a whole sentence of each case. */
const sentences = (who: ReactNode): Record<Action, Record<Subject, ReactNode>> => ({
  dismiss: {
    comment: <Trans>{who} dismissed the report of a comment</Trans>,
    assignment: <Trans>{who} dismissed the report of an assignment</Trans>,
    review: <Trans>{who} dismissed the report of a review</Trans>,
    submission: <Trans>{who} dismissed the report of a submission</Trans>,
  },
  hide: {
    comment: <Trans>{who} hid a comment</Trans>,
    assignment: <Trans>{who} hid an assignment</Trans>,
    review: <Trans>{who} hid a review</Trans>,
    submission: <Trans>{who} hid a submission</Trans>,
  },
  restore: {
    comment: <Trans>{who} restored a comment</Trans>,
    assignment: <Trans>{who} restored an assignment</Trans>,
    review: <Trans>{who} restored a review</Trans>,
    submission: <Trans>{who} restored a submission</Trans>,
  },
  suspend: {
    comment: <Trans>{who} suspended the author of a comment</Trans>,
    assignment: <Trans>{who} suspended the author of an assignment</Trans>,
    review: <Trans>{who} suspended the author of a review</Trans>,
    submission: <Trans>{who} suspended the author of a submission</Trans>,
  },
})

function sentenceOf({ action, kind, moderator }: PastDecision): ReactNode {
  const who = <b>{moderator === 'shell' ? t`The operator` : moderator}</b>
  return kind === 'user' ? <Trans>{who} suspended an account</Trans> : sentences(who)[action][kind]
}

interface DecisionListProps {
  /** The circle whose organizers decided; absent for the moderators. */
  circle?: string
}

/** Decisions with moderator, subject, time and reason, newest first. A hidden subject can be restored. */
export function DecisionList({ circle }: DecisionListProps) {
  const { page } = usePage('decisions')
  const decisions = useQuery(decisionsQuery(page, circle))
  const { mutateAsync, isPending, variables } = useMutation(restore)
  const heading = useRef<HTMLHeadingElement>(null)

  async function showAgain({ kind, subjectId }: PastDecision) {
    const sure = await showConfirm({
      title: t`Restore it?`,
      text: t`Everyone who could see it before will see it again.`,
      confirm: t`Restore`,
    })
    if (!sure) return
    try {
      await mutateAsync({ kind, id: subjectId })
      heading.current?.focus()
      toast(t`Restored`)
    } catch (failure) {
      toast(explain(failure), 'error')
    }
  }

  return (
    <section aria-labelledby="decisions-heading" className="mt-12 grid gap-4">
      <h2 id="decisions-heading" ref={heading} tabIndex={-1}>
        {t`Decisions`}
      </h2>
      <ListPage
        list={decisions}
        totalPages={decisions.data?.pagination.totalPages}
        loading={t`Loading decisions`}
        heading={heading}
        name="decisions"
        label={t`Pages of decisions`}
        empty={decisions.data?.data.length === 0 && <p className="text-soft">{t`No decisions yet.`}</p>}
      >
        {({ data }) => (
          <ul className="grid">
            {placed(data).map((decision) => {
              const { assignmentId, assignmentTitle, reason, at, restorable, key } = decision
              const id = `decision-${key}`
              return (
                <li
                  key={`${decision.subjectId} ${decision.action} ${at}`}
                  className="flex flex-wrap items-center gap-x-6 gap-y-2 border-t border-line py-3 last:border-b"
                >
                  <div className="min-w-0 grow basis-72">
                    <p id={id} className="wrap-anywhere">
                      {sentenceOf(decision)}
                      {assignmentId && (
                        <>
                          {' · '}
                          <AppLink className="link" to={`/assignment/${assignmentId}`}>
                            <bdi>{assignmentTitle}</bdi>
                          </AppLink>
                        </>
                      )}
                    </p>
                    <p className="text-sm text-soft wrap-anywhere">
                      <Moment instant={at} />
                      {reason && (
                        <>
                          {' · '}
                          <bdi>{reason}</bdi>
                        </>
                      )}
                    </p>
                  </div>
                  {restorable && (
                    <Button
                      size="sm"
                      variant="quiet"
                      busy={isPending && variables.id === decision.subjectId}
                      aria-describedby={id}
                      onClick={() => showAgain(decision)}
                    >
                      {t`Restore`}
                    </Button>
                  )}
                </li>
              )
            })}
          </ul>
        )}
      </ListPage>
    </section>
  )
}
