import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@/components/ui'
import { dayOfDate, formatDay } from '@/lib/dates'
import type { ReservedReview } from '@/entities/submission/queries'

/** Leads back to the submission that is reserved for the user. */
export function HeldNotice({ held, onContinue }: { held: ReservedReview; onContinue: () => void }) {
  const title = <bdi className="font-semibold wrap-anywhere">{held.assignmentTitle}</bdi>
  const day = formatDay(dayOfDate(new Date(held.until)))
  return (
    <section
      aria-label={t`Reserved for you`}
      className="mb-8 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-card border border-line border-s-4 border-s-highlighter bg-raised p-4 sm:px-5"
    >
      <p className="min-w-0">
        <Trans>
          You have a submission of {title} to review. It is kept for you until {day}, then others may take it.
        </Trans>
      </p>
      <Button variant="quiet" size="sm" onClick={onContinue}>
        {t`Continue`}
      </Button>
    </section>
  )
}
