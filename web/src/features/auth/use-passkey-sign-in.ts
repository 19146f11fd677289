import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Failure } from '@/components/ui'
import { whyNoPasskeys } from '@/lib/passkey-support'
import { useSignIn } from '@/lib/site'
import { passkeyLogin, passkeyOptions } from './api'
import { passkeyFailure } from './messages'

/** A challenge is valid for five minutes; one that waits in a field is replaced in time. */
const replaceAfterMs = 4 * 60_000

interface PasskeySignIn {
  start: () => void
  busy: boolean
  /** Why there are no passkeys here; null where there are. */
  missing: string | null
}

/** Signs in with a passkey, by a button or by the browser's suggestion in the Email field. */
export function usePasskeySignIn(
  onFailure: (failure: Failure | null) => void,
  onSignedIn: (name: string) => void,
): PasskeySignIn {
  const missing = whyNoPasskeys(useSignIn())
  const [busy, setBusy] = useState(false)
  const running = useRef<AbortController>(undefined)

  /** Browsers run one ceremony at a time: a new one ends the previous one. */
  function begin(): AbortSignal {
    running.current?.abort()
    running.current = new AbortController()
    return running.current.signal
  }

  async function open({ ceremony, credential }: Chosen) {
    try {
      onSignedIn(await passkeyLogin(ceremony, credential))
    } catch (error) {
      onFailure(passkeyFailure(error))
    }
  }

  const suggest = useEffectEvent(async () => {
    const ended = begin()
    if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return
    while (!ended.aborted) {
      const old = AbortSignal.timeout(replaceAfterMs)
      try {
        await open(await choose({ signal: AbortSignal.any([ended, old]), conditional: true }))
        return
      } catch {
        // The user did not ask for a suggestion: a failure is not shown.
        if (!old.aborted) return
      }
    }
  })
  useEffect(() => {
    if (missing === null && !busy) void suggest()
  }, [missing, busy])
  useEffect(() => () => running.current?.abort(), [])

  async function start() {
    onFailure(null)
    setBusy(true)
    try {
      await open(await choose({ signal: begin() }))
    } catch (error) {
      onFailure(passkeyFailure(error))
    } finally {
      setBusy(false)
    }
  }

  return { start: () => void start(), busy, missing }
}

interface Chosen {
  ceremony: string
  credential: object
}

async function choose(how: { signal: AbortSignal; conditional?: boolean }): Promise<Chosen> {
  const [{ askForPasskey }, { ceremony, options }] = await Promise.all([
    import('@/lib/passkeys'),
    passkeyOptions(),
  ])
  return { ceremony, credential: await askForPasskey(options, how) }
}
