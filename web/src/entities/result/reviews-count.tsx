import { t } from '@lingui/core/macro'
import { Badge } from '@/components/ui/badge'
import type { Result } from './queries'

/** How many reviews a pending submission has, and whether one more than at first is asked for. */
export function ReviewsCount({ reviews = 0, reviewsNeeded, oneMore }: Partial<Result>) {
  return (
    <>
      <Badge tone="quiet">{t`${reviews} of ${{ needed: reviewsNeeded ?? '' }} reviews`}</Badge>
      {oneMore && <Badge tone="quiet">{t`One more asked for`}</Badge>}
    </>
  )
}
