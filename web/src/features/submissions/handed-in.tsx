import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { AppLink, Badge, Button, Moment, lazyDialog } from '@/components/ui'
import type { OwnSubmission } from '@/entities/submission/queries'

const changeDialog = lazyDialog(() => import('./change-dialog'), { title: () => t`Change Submission` })

/** Replaces Take Assignment while the user's submission waits for its mark. */
export function HandedIn({ submission }: { submission: OwnSubmission }) {
  const [changing, setChanging] = useState(false)
  return (
    <div className="flex items-center justify-between gap-4 lg:flex-col lg:items-stretch">
      <div className="min-w-0 leading-snug">
        <p role="status">
          <Badge tone="success">{t`Handed in`}</Badge>{' '}
          <span className="text-sm text-soft max-sm:hidden">
            <Moment instant={submission.submittedAt} />
          </span>
        </p>
        <p className="text-sm leading-6">
          <Trans>
            Waiting to be graded. See{' '}
            <AppLink to="/attemded-assignments" className="link">
              My Submitted Assignments
            </AppLink>
            .
          </Trans>
        </p>
      </div>
      {submission.may?.change && (
        <Button variant="quiet" size="sm" {...changeDialog.opener} onClick={() => setChanging(true)}>
          {t`Change`}
        </Button>
      )}
      {changing && <changeDialog.Dialog submission={submission} onClose={() => setChanging(false)} />}
    </div>
  )
}
