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
      <Region title="What you created" className={className}>
        <FirstStep
          text="Set your friends a problem worth an evening. What they hand in is counted here."
          to="/create-assignment"
          label="Create your first one"
        />
      </Region>
    )
  }
  const more = (
    <AppLink to="/assignments?state=mine" className="link text-sm">
      Your assignments
    </AppLink>
  )
  return (
    <Region title="What you created" more={more} className={className}>
      <Figures
        figures={[
          { term: 'Assignments', value: created?.total },
          { term: 'Received', value: created?.submissions },
          { term: 'Waiting', value: created?.pending },
          { term: 'Graded', value: created?.graded },
          { term: 'Average', value: created && averageOf(created.averagePercent) },
        ]}
      />
      {waiting && <TodayList rows={creatorRows(waiting)} />}
    </Region>
  )
}
