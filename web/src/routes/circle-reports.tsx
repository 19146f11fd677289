import { useRef } from 'react'
import { useSearchParams } from 'react-router'
import { DecisionList } from '@/features/moderation/decision-list'
import { ReportList } from '@/features/moderation/report-list'
import { pageIn, pageOf } from '@/lib/page-of'

/** Reports for the organizers of a circle to decide on, as a part of its page. */
export default function CircleReports({ circle }: { circle: string }) {
  const [params, setParams] = useSearchParams()
  const page = pageOf(params)
  const heading = useRef<HTMLParagraphElement>(null)
  const show = (pages: Record<string, string>) => setParams({ tab: 'reports', ...pages })
  return (
    <>
      <p ref={heading} tabIndex={-1} className="max-w-prose text-soft">
        What members reported to the organizers. What an organizer wrote goes to the moderators of this
        server.
      </p>
      <ReportList circle={circle} page={page} onPage={(at) => show({ page: String(at) })} heading={heading} />
      <DecisionList
        circle={circle}
        page={pageIn(params, 'decisions')}
        onPage={(at) => show({ page: String(page), decisions: String(at) })}
      />
    </>
  )
}
