import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { Button, Dialog, DialogActions, type Failure, FormFailure } from '@/components/ui'
import { useAccess } from '@/lib/site'
import { joinAccount } from './api'
import { joinFailure } from './messages'

interface ConfirmDialogProps {
  ticket: string
  invited: boolean
  onSignedIn: (name: string) => void
  onClose: () => void
}

/** Asks the user whether an existing account with their unconfirmed address is theirs. */
export function ConfirmDialog({ ticket, invited, onSignedIn, onClose }: ConfirmDialogProps) {
  const { registration } = useAccess()
  const opens = registration === 'open' || (registration === 'invited' && invited)
  const [busy, setBusy] = useState<'keep' | 'leave' | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)

  async function decide(keep: boolean) {
    setBusy(keep ? 'keep' : 'leave')
    setFailure(null)
    try {
      onSignedIn(await joinAccount(ticket, keep))
    } catch (error) {
      setBusy(null)
      setFailure(joinFailure(error))
    }
  }

  return (
    <Dialog title={t`Is this account yours?`} onClose={onClose}>
      <div className="grid gap-3">
        <p>
          <Trans>
            An account with your email address already exists, but its owner never confirmed the address. You
            just did, so the account’s old password, passkeys and sessions no longer work.
          </Trans>
        </p>
        <p>
          <Trans>
            <strong>If you made it</strong>, keep it: its assignments and submissions stay yours.
          </Trans>
        </p>
        {opens && (
          <p>
            <Trans>
              <strong>If you did not</strong>, start afresh: you get a new, empty account. The old one is
              deleted; the assignments in it stay, without a name.
            </Trans>
          </p>
        )}
      </div>
      <div className="mt-5">
        <FormFailure failure={failure} />
      </div>
      <DialogActions>
        <Button variant="plain" disabled={busy !== null} onClick={onClose}>
          {t`Cancel`}
        </Button>
        {opens && (
          <Button
            variant="quiet"
            busy={busy === 'leave'}
            disabled={busy === 'keep'}
            onClick={() => decide(false)}
          >
            {busy === 'leave' ? t`Starting afresh…` : t`Start afresh`}
          </Button>
        )}
        <Button busy={busy === 'keep'} disabled={busy === 'leave'} onClick={() => decide(true)}>
          {busy === 'keep' ? t`Keeping…` : t`It is mine, keep it`}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
