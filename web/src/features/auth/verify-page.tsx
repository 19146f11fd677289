import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { AppLink, Button, type Failure, FormFailure, LinkButton } from '@/components/ui'
import { explain, isProblem } from '@/lib/problem'
import { useUser } from '@/lib/session'
import { verifyEmail } from './api'
import { AuthSheet } from './auth-sheet'

/**
 * The page of the verification link. A button verifies, not the visit: mail clients open links by themselves, and the
 * link works once. The user has to be signed in, as another person may hold the email.
 */
export function VerifyPage({ token }: { token: string }) {
  return (
    <AuthSheet>
      <h1 tabIndex={-1}>Confirm your email address</h1>
      {useUser() ? <Verify token={token} /> : <LoginFirst />}
    </AuthSheet>
  )
}

function LoginFirst() {
  const { pathname, search } = useLocation()
  return (
    <>
      <p className="mt-4 text-soft">Log in to the account first, so that only its owner can confirm it.</p>
      <div className="mt-8 grid gap-5">
        <LinkButton to="/auth/login" state={{ from: pathname + search }}>
          Log in and confirm
        </LinkButton>
        <p>
          Somebody else opened the account with your address?{' '}
          <AppLink to="/auth/forgot" className="link">
            Choose a new password
          </AppLink>
          : the account is yours then, and they are locked out.
        </p>
      </div>
    </>
  )
}

function Verify({ token }: { token: string }) {
  const [state, setState] = useState<'asked' | 'busy' | 'done'>('asked')
  const [failure, setFailure] = useState<Failure | null>(null)
  const thanks = useRef<HTMLParagraphElement>(null)
  // The button is gone: the focus goes to what it has done.
  useEffect(() => thanks.current?.focus(), [state])

  async function verify() {
    setState('busy')
    setFailure(null)
    try {
      await verifyEmail(token)
      setState('done')
    } catch (error) {
      setState('asked')
      setFailure(
        isProblem(error, 'auth/invalid-action-code')
          ? {
              code: error.code,
              sentence: 'This link was used before, is too old, is not complete, or is for another account.',
            }
          : { sentence: explain(error) },
      )
    }
  }

  return (
    <>
      <div role="status" className="mt-4">
        {state === 'done' ? (
          <p ref={thanks} tabIndex={-1}>
            Thank you, your address is confirmed.
          </p>
        ) : (
          <p className="text-soft">Confirm your email to get grades and reminders.</p>
        )}
      </div>
      <div className="mt-8 grid gap-5">
        {state === 'done' ? (
          <LinkButton to="/">Go to the home page</LinkButton>
        ) : (
          <Button busy={state === 'busy'} onClick={() => void verify()}>
            {state === 'busy' ? 'Confirming…' : 'Confirm'}
          </Button>
        )}
        <FormFailure failure={failure} />
      </div>
    </>
  )
}
