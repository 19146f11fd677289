import { t } from '@lingui/core/macro'
import { AppLink } from '@/components/ui'
import { TodayList, creatorRows } from '@/entities/today/today-list'
import { Figures, averageOf } from './figures'
import type { Dashboard } from '@/entities/progress/queries'
import { FirstStep, Region } from './region'

/** The user's own assignments and their submissions. */
export function Created({
  created,
  waiting,
  className,
}: {
  created: Dashboard['created'] | undefined
  /** Submissions that wait for the user as a creator. */
  waiting: Pick<Dashboard, 'decisions' | 'short'> | undefined
  className: string
}) {
  if (created?.total === 0) {
    return (
      <Region title={t`What you created`} className={className}>
        <FirstStep
          text={t`Set your friends a problem worth an evening. What they hand in is counted here.`}
          to="/create-assignment"
          label={t`Create your first one`}
        />
      </Region>
    )
  }
  const more = (
    <AppLink to="/assignments?state=mine" className="link text-sm">
      {t`Your assignments`}
    </AppLink>
  )
  return (
    <Region title={t`What you created`} more={more} className={className}>
      <Figures
        figures={[
          { term: t`Assignments`, value: created?.total },
          { term: t`Received`, value: created?.submissions },
          { term: t`Waiting`, value: created?.pending },
          { term: t`Graded`, value: created?.graded },
          { term: t`Average`, value: created && averageOf(created.averagePercent) },
        ]}
      />
      {waiting && <TodayList rows={creatorRows(waiting)} />}
    </Region>
  )
}
