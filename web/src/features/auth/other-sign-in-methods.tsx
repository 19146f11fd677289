import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type ReactNode } from 'react'
import { Button, type Failure } from '@/components/ui'
import { failed, type Outcome } from '@/lib/popup/attempt'
import { usePopup } from '@/lib/popup/use-popup'
import { useSignIn, type Provider } from '@/lib/site'
import { useHydrated } from '@/lib/use-hydrated'
import { invitationTicket, takeSession } from './api'
import { ConfirmDialog } from './confirm-dialog'
import { loginFailure, popupFailure } from './messages'

interface OtherSignInMethodsProps {
  /** With which a newcomer registers in the provider's window. */
  invitation: string | undefined
  onFailure: (failure: Failure | null) => void
  onSignedIn: (name: string) => void
  /** Comes last: what only the script knows of moves nothing that stands above it. */
  children?: ReactNode
}

const google: Provider = { id: 'google', label: 'Google' }
const notSetUp = 'google-not-set-up'

/** Ways to sign in without a password: each provider in a window of its own. Google always has its button, which is disabled, with the reason beside it, where it is not set up. */
export function OtherSignInMethods({ invitation, onFailure, onSignedIn, children }: OtherSignInMethodsProps) {
  const { providers } = useSignIn()
  /** A question that the user answers before being signed in. */
  const [ticket, setTicket] = useState<string | null>(null)
  const hasGoogle = providers.some(({ id }) => id === google.id)
  // The first HTML does not know the providers.
  const known = useHydrated()
  const missing = (provider: Provider) => (known && provider === google) || undefined
  const offered = hasGoogle ? providers : [google, ...providers]

  async function finish(outcome: Outcome) {
    if (outcome.status === 'confirm') {
      onFailure(null)
      setTicket(outcome.ticket)
      return
    }
    if (outcome.status === 'error' && outcome.code !== 'auth/popup-closed-by-user') {
      onFailure(popupFailure(outcome))
      return
    }
    // Why a window was closed is not known: the result may have been lost, or the server out of reach.
    const otherwise = outcome.status === 'error' ? outcome : failed('auth/web-storage-unsupported')
    try {
      const name = await takeSession()
      if (name === null) onFailure(popupFailure(otherwise))
      else onSignedIn(name)
    } catch (error) {
      onFailure(loginFailure(error))
    }
  }
  const { start, waitingFor } = usePopup(
    (outcome) => void finish(outcome),
    invitation ? ({ id }) => invitationTicket(id, invitation) : undefined,
  )

  const waitingName = <bdi>{waitingFor?.label}</bdi>
  return (
    <div className="mt-5 grid gap-3">
      <p className="flex items-center gap-3 text-sm text-soft before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
        {t`or`}
      </p>
      {offered.map((provider) => (
        <Button
          key={provider.id}
          variant="quiet"
          aria-disabled={missing(provider)}
          aria-describedby={missing(provider) && notSetUp}
          className="w-full"
          onClick={() => {
            if (missing(provider)) return
            onFailure(null)
            start(provider)
          }}
        >
          {t`Continue with ${{ provider: provider.label }}`}
        </Button>
      ))}
      {children}
      {known && !hasGoogle && (
        <p id={notSetUp} className="text-center text-sm text-soft">
          {t`Google sign-in is not set up on this server.`}
        </p>
      )}
      <div role="status" className="text-sm text-soft">
        {waitingFor && (
          <p>
            <Trans>Continue in the {waitingName} window.</Trans>
          </p>
        )}
      </div>
      {ticket !== null && (
        <ConfirmDialog
          ticket={ticket}
          invited={invitation !== undefined}
          onSignedIn={onSignedIn}
          onClose={() => setTicket(null)}
        />
      )}
    </div>
  )
}
