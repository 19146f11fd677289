import { AppLink } from '@/components/ui'
import { Figures, averageOf } from './figures'
import type { Dashboard } from '@/entities/progress/queries'
import { FirstStep, Region } from './region'

/** Reviews, of which several make a mark, have a page of their own. */
const reviews = (
  <AppLink to="/reviews" className="link text-sm">
    What you reviewed
  </AppLink>
)

/** The marks that the user gave. */
export function Graded({ given, className }: { given: Dashboard['given'] | undefined; className: string }) {
  if (given?.total === 0 && given.reviews === undefined) {
    return (
      <Region title="What you graded" more={reviews} className={className}>
        <FirstStep
          text="Reading how others solved it teaches you as much as a mark of your own."
          to="/pending-assignments"
          label="Give your first mark"
        />
      </Region>
    )
  }
  const more = (
    <span className="flex flex-wrap gap-x-4">
      {reviews}
      <AppLink to="/pending-assignments" className="link text-sm">
        Grade another
      </AppLink>
    </span>
  )
  return (
    <Region title="What you graded" more={more} className={className}>
      <Figures
        figures={[
          { term: 'Marks given', value: given?.total },
          ...(given?.reviews ? [{ term: 'Reviews given', value: given.reviews }] : []),
          { term: 'Average', value: given && averageOf(given.averagePercent) },
          { term: 'Median wait', value: given && waitOf(given.medianWaitHours) },
        ]}
      />
    </Region>
  )
}

/** How long work had usually waited, in the unit that says it best. */
function waitOf(hours: number | undefined): string {
  if (hours === undefined) return '--'
  if (hours < 1) return '< 1 hour'
  const [count, unit] = hours < 48 ? [Math.round(hours), 'hour'] : [Math.round(hours / 24), 'day']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
