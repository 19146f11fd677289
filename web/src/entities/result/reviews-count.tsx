import { t } from '@lingui/core/macro'
import { Badge, CircleSoFar } from '@/components/ui'
import type { Result } from './queries'

/** How many reviews a pending submission has, and whether one more than at first is asked for. */
export function ReviewsCount({ _id: id = '', reviews = 0, reviewsNeeded = 0, oneMore }: Partial<Result>) {
  return (
    <>
      <Badge tone="quiet">
        <CircleSoFar seed={id} count={reviews} needed={reviewsNeeded} />
        {t`${reviews} of ${reviewsNeeded} reviews`}
      </Badge>
      {oneMore && <Badge tone="quiet">{t`One more asked for`}</Badge>}
    </>
  )
}
