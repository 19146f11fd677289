import { useEffect, useRef, useState } from 'react'
import type { Failure } from '@/components/ui'
import { failed, type Outcome } from '@/lib/popup/attempt'
import { openPopup } from '@/lib/popup/popup'
import { useSignIn, type Provider } from '@/lib/site'
import { invitationTicket, takeSession } from './api'
import { loginFailure, popupFailure } from './messages'

interface ProviderSignIn {
  start: (provider: Provider) => void
  /** The provider whose window is open. */
  waitingFor: Provider | null
  /** A question that the user answers before being signed in. */
  ticket: string | null
  dropTicket: () => void
}

/** Signing in through a provider's window, from the click to the session. */
export function useProviderSignIn(
  invitation: string | undefined,
  onFailure: (failure: Failure | null) => void,
  onSignedIn: (name: string) => void,
): ProviderSignIn {
  const { publicOrigin } = useSignIn()
  const [waitingFor, setWaitingFor] = useState<Provider | null>(null)
  const [ticket, setTicket] = useState<string | null>(null)
  const abandon = useRef<() => void>(undefined)
  useEffect(() => () => abandon.current?.(), [])

  function start(provider: Provider) {
    onFailure(null)
    let ended = false
    const onOutcome = (outcome: Outcome) => {
      ended = true
      setWaitingFor(null)
      void finish(outcome)
    }
    abandon.current = openPopup({
      provider: provider.id,
      publicOrigin,
      onOutcome,
      ...(invitation && {
        ticket: () => invitationTicket(provider.id, invitation),
        onTicketRefused: (error) => {
          setWaitingFor(null)
          onFailure(loginFailure(error))
        },
      }),
    })
    if (!ended) setWaitingFor(provider)
  }

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

  return { start, waitingFor, ticket, dropTicket: () => setTicket(null) }
}
