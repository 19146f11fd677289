import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { AppLink, Button, lazyDialog, failed, showConfirm, toast } from '@/components/ui'
import { ExtraTime } from '@/entities/assignment/extra-time'
import type { Result } from '@/entities/result/queries'
import { decisionName, decisionsOf, settleNow, type Decision } from './deciding'

const sendBackDialog = lazyDialog(() => import('@/entities/submission/send-back-dialog'), {
  title: () => t`Send back`,
})
const decisionDialog = lazyDialog(() => import('./decision-dialog'), { title: () => t`Decide` })

interface ResultActionsProps {
  assignmentId: string
  result: Result
  /** Says which row it is. */
  describedBy: string
}

/** The actions that the server permits an assignment's creator on a submission: finalize, decide, ask for another review, mark it. */
export function ResultActions({ assignmentId, result, describedBy }: ResultActionsProps) {
  const { _id: id, status, reviewsNeeded, appeal, may, submitterId, submitterName = t`Unknown` } = result
  const [returning, setReturning] = useState(false)
  const [deciding, setDeciding] = useState<Decision | null>(null)
  const { mutateAsync, isPending } = useMutation(settleNow)

  async function settle() {
    const sure = await showConfirm({
      title: t`Finalize it?`,
      text: t`The mark is calculated from the reviews received so far, and its submitter sees it at once.`,
      confirm: t`Finalize`,
    })
    if (!sure) return
    try {
      await mutateAsync(id)
      toast(t`Finalized`)
    } catch (error) {
      void failed(error)
    }
  }

  const explained = status === 'completed' && reviewsNeeded !== undefined && !(appeal && reviewsNeeded === 1)
  return (
    <div className="-mx-3 flex flex-wrap items-center gap-x-1 in-[td]:contents">
      {may.settle && (
        <Button variant="plain" size="sm" aria-describedby={describedBy} busy={isPending} onClick={settle}>
          {isPending ? (
            <Trans>
              Finalizing…<span className="sr-only"> (Settle now)</span>
            </Trans>
          ) : (
            <Trans>
              Finalize<span className="sr-only"> (Settle now)</span>
            </Trans>
          )}
        </Button>
      )}
      {decisionsOf(result).map((decision) => (
        <Button
          key={decision}
          variant="plain"
          size="sm"
          aria-describedby={describedBy}
          {...decisionDialog.opener}
          onClick={() => setDeciding(decision)}
        >
          {decisionName(decision, result)}
        </Button>
      ))}
      {may.sendBack && (
        <Button
          variant="plain"
          size="sm"
          aria-describedby={describedBy}
          {...sendBackDialog.opener}
          onClick={() => setReturning(true)}
        >
          {t`Send back`}
        </Button>
      )}
      {submitterId && (
        <ExtraTime
          assignmentId={assignmentId}
          userId={submitterId}
          name={submitterName}
          describedBy={describedBy}
        />
      )}
      {explained && (
        <AppLink
          to={`/submission/${id}/mark`}
          aria-describedby={describedBy}
          className="link px-3 text-sm leading-8"
        >
          {t`How it was made`}
        </AppLink>
      )}
      {returning && <sendBackDialog.Dialog id={id} onClose={() => setReturning(false)} />}
      {deciding && (
        <decisionDialog.Dialog
          assignmentId={assignmentId}
          id={id}
          decision={deciding}
          onClose={() => setDeciding(null)}
        />
      )}
    </div>
  )
}
