import { Timeline } from '@/components/ui/timeline'
import type { MarkExplanation } from './queries'

/** What happened to the submission and its mark, with who decided and why, and what comes next. */
export function MarkHistory({ mark: { timeline, total } }: { mark: MarkExplanation }) {
  return (
    <section aria-labelledby="history-heading">
      <h2 id="history-heading" className="mb-4">
        History
      </h2>
      <Timeline steps={timeline} total={total} />
    </section>
  )
}
