import { useState } from 'react'
import { Button } from '@/components/ui'

/** Signing in with Google, on a server that has not been told how: says so when asked. */
export function GoogleButton() {
  const [asked, setAsked] = useState(false)
  return (
    <div className="grid gap-3">
      <p className="flex items-center gap-3 text-sm text-soft before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
        or
      </p>
      <Button variant="quiet" onClick={() => setAsked(true)} className="w-full">
        Continue with Google
      </Button>
      <div role="status">
        {asked && (
          <p className="text-sm text-soft">
            Google sign-in is not set up on this server. Please use your e-mail and a password.
          </p>
        )}
      </div>
    </div>
  )
}
