import { t } from '@lingui/core/macro'
import { useRef } from 'react'
import { DecisionList } from './decision-list'
import { ReportList } from './report-list'

/** Reports for moderators to decide on. */
export function ModerationPage() {
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <div className="page">
      <h1 ref={heading} tabIndex={-1}>
        {t`Moderation`}
      </h1>
      <ReportList heading={heading} />
      <DecisionList />
    </div>
  )
}
