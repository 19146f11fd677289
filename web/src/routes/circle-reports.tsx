import { Trans } from '@lingui/react/macro'
import { useRef } from 'react'
import { DecisionList } from '@/features/moderation/decision-list'
import { ReportList } from '@/features/moderation/report-list'

/** Reports for the organizers of a circle to decide on, as a part of its page. */
export default function CircleReports({ circle }: { circle: string }) {
  const heading = useRef<HTMLParagraphElement>(null)
  return (
    <>
      <p ref={heading} tabIndex={-1} className="max-w-prose text-soft">
        <Trans>
          Reports by members to the organizers. Reports of what an organizer wrote go to the moderators of
          this server.
        </Trans>
      </p>
      <ReportList circle={circle} heading={heading} />
      <DecisionList circle={circle} />
    </>
  )
}
