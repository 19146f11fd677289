import { useEffect, useRef, useState } from 'react'
import { useSignIn, type Provider } from '@/lib/site'
import type { Outcome } from './attempt'
import { openPopup } from './popup'

interface Popup {
  start: (provider: Provider) => void
  /** The provider whose window is open. */
  waitingFor: Provider | null
}

/**
 * Signs in through a provider's window, or with a ticket links an account or registers. `onOutcome` is called a second
 * time where a window that seemed closed comes to an end after all.
 */
export function usePopup(
  onOutcome: (outcome: Outcome, provider: Provider) => void,
  ticket?: (provider: Provider) => Promise<string>,
): Popup {
  const { publicOrigin } = useSignIn()
  const [waitingFor, setWaitingFor] = useState<Provider | null>(null)
  const abandon = useRef<() => void>(undefined)
  useEffect(() => () => abandon.current?.(), [])

  function start(provider: Provider) {
    let ended = false
    abandon.current = openPopup({
      provider: provider.id,
      publicOrigin,
      onOutcome: (outcome) => {
        ended = true
        setWaitingFor(null)
        onOutcome(outcome, provider)
      },
      ...(ticket && { ticket: () => ticket(provider) }),
    })
    // Last: a window that gives way to this one has ended meanwhile.
    if (!ended) setWaitingFor(provider)
  }
  return { start, waitingFor }
}
