import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { LinkButton, PageHead } from '@/components/ui'
import { useAccess } from '@/lib/site'
import { publishableQuery } from '@/entities/circle/publishable-query'

/** Stands in for a form that publishes where a user can publish nowhere: in no circle, and the hall takes nothing new. */
export function NowhereToPublish({ children }: { children: ReactNode }) {
  const { hall } = useAccess()
  const { data: circles } = useQuery({ ...publishableQuery, enabled: hall !== 'on' })
  if (hall === 'on' || circles?.length !== 0) return children
  return (
    <div className="page">
      <PageHead title={t`Create Assignment`} art="create">
        <Trans>
          Assignments here belong to circles, and you cannot publish in one yet. Start a circle, or ask the
          organizers of yours.
        </Trans>
      </PageHead>
      <LinkButton to="/circles">{t`Your circles`}</LinkButton>
    </div>
  )
}
