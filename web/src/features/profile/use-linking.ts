import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { toast, type Failure } from '@/components/ui'
import type { Outcome } from '@/lib/popup/attempt'
import { openPopup } from '@/lib/popup/popup'
import { explain, isProblem } from '@/lib/problem'
import { invalidate } from '@/lib/query'
import { useSignIn, type Provider } from '@/lib/site'
import { linkTicket } from '@/entities/user/mutations'
import { signInMethodsQuery } from '@/entities/user/queries'

interface Linking {
  start: (provider: Provider) => void
  /** The provider whose window is open. */
  waitingFor: Provider | null
  failure: Failure | null
}

/** Links an account elsewhere through the provider's window. */
export function useLinking(): Linking {
  const { publicOrigin } = useSignIn()
  const client = useQueryClient()
  const [waitingFor, setWaitingFor] = useState<Provider | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const abandon = useRef<() => void>(undefined)
  useEffect(() => () => abandon.current?.(), [])

  function start(provider: Provider) {
    setFailure(null)
    let ended = false
    const onOutcome = (outcome: Outcome) => {
      ended = true
      setWaitingFor(null)
      // After a failure too: the result of a closed window may have been lost.
      invalidate(client, signInMethodsQuery.queryKey)
      if (outcome.status === 'error') setFailure({ code: outcome.code, sentence: outcome.message })
      else {
        setFailure(null)
        toast(`${provider.label} is linked`)
      }
    }
    abandon.current = openPopup({
      provider: provider.id,
      publicOrigin,
      onOutcome,
      ticket: () => linkTicket(provider.id),
      onTicketRefused: (error) => {
        setWaitingFor(null)
        setFailure({ ...(isProblem(error) && { code: error.code }), sentence: explain(error) })
      },
    })
    if (!ended) setWaitingFor(provider)
  }

  return { start, waitingFor, failure }
}
