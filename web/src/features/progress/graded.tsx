import { plural, t } from '@lingui/core/macro'
import { AppLink } from '@/components/ui'
import { Figures, averageOf } from './figures'
import type { Dashboard } from '@/entities/progress/queries'
import { FirstStep, Region } from './region'

/** Reviews, of which several make a mark, have a page of their own. */
function ReviewsLink() {
  return (
    <AppLink to="/reviews" className="link text-sm">
      {t`What you reviewed`}
    </AppLink>
  )
}

/** The marks that the user gave. */
export function Graded({ given, className }: { given: Dashboard['given'] | undefined; className: string }) {
  if (given?.total === 0 && given.reviews === undefined) {
    return (
      <Region title={t`What you graded`} more={<ReviewsLink />} className={className}>
        <FirstStep
          text={t`Reading how others solved it teaches you as much as a mark of your own.`}
          to="/pending-assignments"
          label={t`Give your first mark`}
        />
      </Region>
    )
  }
  const more = (
    <span className="flex flex-wrap gap-x-4">
      <ReviewsLink />
      <AppLink to="/pending-assignments" className="link text-sm">
        {t`Grade another`}
      </AppLink>
    </span>
  )
  return (
    <Region title={t`What you graded`} more={more} className={className}>
      <Figures
        figures={[
          ...(given?.total === 0 ? [] : [{ term: t`Marks given`, value: given?.total }]),
          ...(given?.reviews ? [{ term: t`Reviews given`, value: given.reviews }] : []),
          ...(given?.total === 0
            ? []
            : [
                { term: t`Average`, value: given && averageOf(given.averagePercent) },
                { term: t`Median wait`, value: given && waitOf(given.medianWaitHours) },
              ]),
        ]}
      />
      {given?.reviews !== undefined && (
        <p className="mt-3 text-sm text-soft">{t`Reviews of exemplars are not counted.`}</p>
      )}
    </Region>
  )
}

/** How long work had usually waited, in the unit that says it best. */
function waitOf(hours: number | undefined): string {
  if (hours === undefined) return '--'
  if (hours < 1) return t`< 1 hour`
  return hours < 48 ? hoursText(Math.round(hours)) : daysText(Math.round(hours / 24))
}

const hoursText = (hours: number) => plural(hours, { one: '# hour', other: '# hours' })
const daysText = (days: number) => plural(days, { one: '# day', other: '# days' })
