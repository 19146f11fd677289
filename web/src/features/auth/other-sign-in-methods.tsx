import { useState, type ReactNode } from 'react'
import { Button, type Failure } from '@/components/ui'
import { useSignIn, type Provider } from '@/lib/site'
import { useHydrated } from '@/lib/use-hydrated'
import { ConfirmDialog } from './confirm-dialog'
import { useProviderSignIn } from './use-provider-sign-in'

interface OtherSignInMethodsProps {
  onFailure: (failure: Failure | null) => void
  onSignedIn: (name: string) => void
  /** Comes last: what only the script knows of moves nothing that stands above it. */
  children?: ReactNode
}

const google: Provider = { id: 'google', label: 'Google' }

/** Ways to sign in without a password: each provider in a window of its own. Google is always offered, and says before the press where it is not set up. */
export function OtherSignInMethods({ onFailure, onSignedIn, children }: OtherSignInMethodsProps) {
  const { providers } = useSignIn()
  const [explained, setExplained] = useState(false)
  const { start, waitingFor, ticket, dropTicket } = useProviderSignIn(onFailure, onSignedIn)
  const hasGoogle = providers.some(({ id }) => id === google.id)
  const known = useHydrated()
  const offered = hasGoogle ? providers : [google, ...providers]
  return (
    <div className="mt-5 grid gap-3">
      <p className="flex items-center gap-3 text-sm text-soft before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
        or
      </p>
      {offered.map((provider) => (
        <Button
          key={provider.id}
          variant="quiet"
          title={known && provider === google ? 'Not set up on this server' : undefined}
          className="w-full [&[title]]:border-line [&[title]]:text-soft"
          onClick={() => {
            if (provider === google) setExplained(true)
            else start(provider)
          }}
        >
          Continue with {provider.label}
        </Button>
      ))}
      {children}
      <div role="status" className="text-sm text-soft">
        {waitingFor && (
          <p>
            Go on in the window of <bdi>{waitingFor.label}</bdi>.
          </p>
        )}
        {explained && (
          <p>Google sign-in is not set up on this server. Please use your email address and a password.</p>
        )}
      </div>
      {ticket !== null && <ConfirmDialog ticket={ticket} onSignedIn={onSignedIn} onClose={dropTicket} />}
    </div>
  )
}
