import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { AppLink, Button, type Failure, FormFailure, LinkButton } from '@/components/ui'
import { explain, isProblem } from '@/lib/problem'
import { startSession } from '@/lib/session'
import { undoEmail } from './api'
import { AuthSheet } from './auth-sheet'

/**
 * Where the email to the previous address leads. A button undoes the change, not the visit: mail clients open
 * links by themselves, and the link works once.
 */
export function UndoPage({ token }: { token: string }) {
  const [state, setState] = useState<'asked' | 'busy' | 'done'>('asked')
  const [failure, setFailure] = useState<Failure | null>(null)
  const result = useRef<HTMLParagraphElement>(null)
  // The button is gone: the result gets the focus.
  useEffect(() => {
    if (state === 'done') result.current?.focus()
  }, [state])

  async function undo() {
    setState('busy')
    setFailure(null)
    try {
      await undoEmail(token)
      startSession(null)
      setState('done')
    } catch (error) {
      setState('asked')
      setFailure({
        sentence: isProblem(error, 'auth/invalid-action-code')
          ? t`This link has been used, has expired, or is incomplete.`
          : explain(error),
      })
    }
  }

  return (
    <AuthSheet>
      <h1 tabIndex={-1}>{t`Undo the change of your email address`}</h1>
      <div role="status" className="mt-4">
        {state === 'done' ? (
          <p ref={result} tabIndex={-1}>
            <Trans>
              Your account has this address again, and is signed out everywhere. If another person changed it,
              they know your password:{' '}
              <AppLink to="/auth/forgot" className="link">
                choose a new password
              </AppLink>
              .
            </Trans>
          </p>
        ) : (
          <p className="text-soft">
            <Trans>
              Press Undo if you did not change it. Your account gets this address back, and is signed out
              everywhere.
            </Trans>
          </p>
        )}
      </div>
      <div className="mt-8 grid gap-5">
        {state === 'done' ? (
          <LinkButton to="/auth/login">{t`Sign in`}</LinkButton>
        ) : (
          <Button busy={state === 'busy'} onClick={undo}>
            {state === 'busy' ? t`Undoing…` : t`Undo`}
          </Button>
        )}
        <FormFailure failure={failure} />
      </div>
    </AuthSheet>
  )
}
