import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useLocation } from 'react-router'
import { AppLink, Button, ErrorState, Loading, Pages, failed, toast } from '@/components/ui'
import { ExtraTime } from '@/entities/assignment/extra-time'
import { explain } from '@/lib/problem'
import { usePage } from '@/lib/search-params'
import { Files } from './files'
import { summaryOf } from './owes-summary'
import { owesQuery, remindOwing, type Debt, type Owes, type WaitingSubmission } from './queries'

const files = () =>
  [
    { what: 'results', label: t`Results as a file` },
    { what: 'reviews', label: t`Export reviews (CSV)` },
  ] as const

/**
 * Who owes what for an assignment, and one press that reminds them. Those who decide about it can give extra time:
 * in an archived circle, no one does.
 */
export default function WhoOwes({ assignmentId, decides }: { assignmentId: string; decides: boolean }) {
  const heading = useId()
  const { page, addressOf } = usePage('owes')
  const { data, error, refetch } = useQuery(owesQuery(assignmentId, page))
  const { search } = useLocation()
  if (!data) {
    if (error) return <ErrorState message={explain(error)} onRetry={() => void refetch()} />
    return <Loading label={t`Loading who owes what`} fillsScreen />
  }
  return (
    <section
      aria-labelledby={heading}
      className="grid grid-cols-1 gap-4 rounded-card border border-line bg-raised p-5"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h3 id={heading} tabIndex={-1}>
          {t`Who owes what`}
        </h3>
        <Remind owes={data} />
      </div>
      <p>{summaryOf(data)}</p>
      {isDelayed(data) && (
        <p className="max-w-prose text-sm text-soft">
          <Trans>
            Reviews are counted as of yesterday: those given today count tomorrow, so that no one can tell
            whose they are.
          </Trans>
        </p>
      )}
      {data.submissions.some(isStuck) && (
        <ul aria-label={t`Stuck`} className="grid grid-cols-1 gap-1">
          {data.submissions.filter(isStuck).map((one) => (
            <li key={one._id}>
              <AppLink
                to={`/assignment/${assignmentId}${search}#result-${one._id}`}
                className="link inline-flex min-h-8 items-center"
              >
                <span className="min-w-0 wrap-anywhere">
                  <WhyStuck submission={one} />
                </span>
              </AppLink>
            </li>
          ))}
        </ul>
      )}
      {data.data.length > 0 && (
        <ul aria-label={t`People`} className="grid grid-cols-1 gap-x-8 sm:grid-cols-2">
          {data.data.map((debt) => (
            <li
              key={debt.userId}
              className="flex min-h-11 items-center justify-between gap-3 border-b border-line"
            >
              <span className="min-w-0">
                <span className="block truncate font-semibold">
                  <bdi>{debt.name || debt.displayName}</bdi>
                </span>
                {debt.label && (
                  <span className="block truncate text-sm text-soft">
                    <bdi>{debt.label}</bdi>
                  </span>
                )}
              </span>
              <span id={`debt-${debt.userId}`} className="ms-auto shrink-0 text-sm text-soft">
                {debtText(debt)}
              </span>
              {decides && !debt.handedIn && (
                <ExtraTime
                  assignmentId={assignmentId}
                  userId={debt.userId}
                  name={debt.name || debt.displayName}
                  describedBy={`debt-${debt.userId}`}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      <Pages
        page={page}
        totalPages={data.pagination.totalPages}
        addressOf={addressOf}
        onPage={() => document.getElementById(heading)?.focus()}
        part
        label={t`Pages of who owes what`}
      />
      <Files of="assignment" id={assignmentId} files={files()} />
    </section>
  )
}

function Remind({ owes: { assignmentId, may, remindedAt } }: { owes: Owes }) {
  const { mutateAsync, isPending } = useMutation(remindOwing)

  async function remind() {
    try {
      const count = await mutateAsync(assignmentId)
      toast(plural(count, { one: '# person reminded', other: '# people reminded' }))
    } catch (error) {
      void failed(error)
    }
  }

  if (may.remind) {
    return (
      <Button size="sm" busy={isPending} onClick={remind}>
        {t`Remind them`}
      </Button>
    )
  }
  return remindedAt ? <span className="text-sm text-soft">{t`Reminded. Once a day is enough.`}</span> : null
}

/** While a submission is open, reviews of today are left out. */
const isDelayed = ({ owingReviews, waiting, stuck }: Owes) => owingReviews > 0 && waiting + stuck > 0

const isStuck = ({ reason }: WaitingSubmission) => reason === 'unattended' || reason === 'appeal'

function WhyStuck({ submission: { submitterName, reason } }: { submission: WaitingSubmission }) {
  const who = <bdi>{submitterName ?? t`Unknown`}</bdi>
  return reason === 'appeal' ? (
    <Trans>{who}: too few new reviews were given after the appeal. Decide it.</Trans>
  ) : (
    <Trans>{who}: it was not reviewed in time. Set the mark.</Trans>
  )
}

const debtText = ({ handedIn, reviewsGiven = 0, reviewsOwed = 0 }: Debt) =>
  handedIn ? t`${reviewsGiven} of ${reviewsOwed} given` : t`Nothing handed in`
