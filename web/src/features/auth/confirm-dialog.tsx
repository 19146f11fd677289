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
    <Dialog title="Is this account yours?" onClose={onClose}>
      <div className="grid gap-3">
        <p>
          An account with your email address already exists, but its owner never confirmed the address. You
          just did, so the account’s old password, passkeys and sessions no longer work.
        </p>
        <p>
          <strong>If you made it</strong>, keep it: its assignments and submissions stay yours.
        </p>
        {opens && (
          <p>
            <strong>If you did not</strong>, start afresh: you get a new, empty account. The old one is
            deleted; the assignments in it stay, without a name.
          </p>
        )}
      </div>
      <div className="mt-5">
        <FormFailure failure={failure} />
      </div>
      <DialogActions>
        <Button variant="plain" disabled={busy !== null} onClick={onClose}>
          Cancel
        </Button>
        {opens && (
          <Button
            variant="quiet"
            busy={busy === 'leave'}
            disabled={busy === 'keep'}
            onClick={() => decide(false)}
          >
            {busy === 'leave' ? 'Starting afresh…' : 'Start afresh'}
          </Button>
        )}
        <Button busy={busy === 'keep'} disabled={busy === 'leave'} onClick={() => decide(true)}>
          {busy === 'keep' ? 'Keeping…' : 'It is mine, keep it'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
