import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { Button, toast } from '@/components/ui'
import { cx } from '@/lib/cx'
import { explain } from '@/lib/problem'
import { acceptInvitation, declineInvitation, type MyInvitation } from './invited'

interface InvitationAnswersProps {
  invitation: MyInvitation
  describedBy: string
  /** Leaves out, on a phone, what the page of circles offers. */
  short?: boolean
}

/** The buttons of an invitation. Accepting leads into the circle. */
export function InvitationAnswers({ invitation, describedBy, short = false }: InvitationAnswersProps) {
  const { _id: id, circleName: name } = invitation
  const navigate = useNavigate()
  const accepting = useMutation(acceptInvitation)
  const declining = useMutation(declineInvitation)

  async function accept() {
    try {
      const circleId = await accepting.mutateAsync(id)
      await navigate(`/circle/${circleId}`)
      toast(t`Welcome to ${name}`)
    } catch (error) {
      // Home has no host of boxes.
      toast(explain(error), 'error')
    }
  }

  async function decline(forGood: boolean) {
    try {
      await declining.mutateAsync({ id, forGood })
      toast(forGood ? t`${name} can invite you no more` : t`Invitation declined`)
    } catch (error) {
      // Home has no host of boxes.
      toast(explain(error), 'error')
    }
  }

  const busyWith = declining.isPending ? declining.variables.forGood : null
  return (
    <div className="flex shrink-0 gap-2 max-sm:flex-col sm:items-center">
      <Button size="sm" busy={accepting.isPending} aria-describedby={describedBy} onClick={accept}>
        {t`Accept`}
      </Button>
      <Button
        size="sm"
        variant="quiet"
        busy={busyWith === false}
        aria-describedby={describedBy}
        onClick={() => decline(false)}
      >
        {t`Decline`}
      </Button>
      <Button
        size="sm"
        variant="quiet"
        busy={busyWith === true}
        aria-describedby={describedBy}
        className={cx(short && 'max-sm:hidden')}
        onClick={() => decline(true)}
      >
        {t`No more from this circle`}
      </Button>
    </div>
  )
}
