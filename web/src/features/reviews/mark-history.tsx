import { t } from '@lingui/core/macro'
import { Timeline } from '@/entities/review/timeline'
import type { MarkExplanation } from '@/entities/review/queries'

/** The history of a submission and its mark, with each decision's author and reason, and the next step. */
export function MarkHistory({ mark: { timeline, total } }: { mark: MarkExplanation }) {
  return (
    <section aria-labelledby="history-heading">
      <h2 id="history-heading" className="mb-4">
        {t`History`}
      </h2>
      <Timeline steps={timeline} total={total} />
    </section>
  )
}
