import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { Button, type Failure } from '@/components/ui'
import { usePasskeySignIn } from './use-passkey-sign-in'

interface PasskeyButtonProps {
  onFailure: (failure: Failure | null) => void
  onSignedIn: (name: string) => void
}

/** Signs in with a passkey, and says why it cannot where there are none. */
export function PasskeyButton({ onFailure, onSignedIn }: PasskeyButtonProps) {
  const { start, busy, missing } = usePasskeySignIn(onFailure, onSignedIn)
  const [explained, setExplained] = useState(false)
  return (
    <>
      <Button
        variant="quiet"
        busy={busy}
        className="w-full"
        onClick={() => {
          if (missing === null) start()
          else setExplained(true)
        }}
      >
        {busy ? t`Waiting for your passkey…` : t`Sign in with a passkey`}
      </Button>
      <div role="status" className="text-sm text-soft empty:hidden">
        {explained && missing && (
          <p>
            {missing} {t`Please use your email address and a password.`}
          </p>
        )}
      </div>
    </>
  )
}
