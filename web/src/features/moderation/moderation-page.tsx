import { useRef } from 'react'
import { useSearchParams } from 'react-router'
import { pageIn, pageOf } from '@/lib/page-of'
import { DecisionList } from './decision-list'
import { ReportList } from './report-list'

/** Reports for moderators to decide on. */
export function ModerationPage() {
  const [params, setParams] = useSearchParams()
  const page = pageOf(params)
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <div className="page">
      <h1 ref={heading} tabIndex={-1}>
        Moderation
      </h1>
      <ReportList page={page} onPage={(at) => setParams({ page: String(at) })} heading={heading} />
      <DecisionList
        page={pageIn(params, 'decisions')}
        onPage={(at) => setParams({ page: String(page), decisions: String(at) })}
      />
    </div>
  )
}
