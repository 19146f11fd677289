import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
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
      <h1 tabIndex={-1}>{t`Confirm your email address`}</h1>
      <WhyConfirm />
      {useUser() ? <Verify token={token} /> : <LoginFirst />}
    </AuthSheet>
  )
}

function WhyConfirm() {
  return (
    <div className="mt-4">
      <p>{t`Once it is confirmed:`}</p>
      <ul className="mt-2 list-disc ps-6 text-soft">
        <li>{t`you get marks, replies and due dates by email, as you choose in your profile;`}</li>
        <li>{t`a forgotten password can be replaced by a link to this address;`}</li>
        <li>{t`no other person can claim the address.`}</li>
      </ul>
    </div>
  )
}

function LoginFirst() {
  const { pathname, search } = useLocation()
  return (
    <>
      <p className="mt-4 text-soft">{t`Sign in to the account first, so that only its owner can confirm it.`}</p>
      <div className="mt-8 grid gap-5">
        <LinkButton to="/auth/login" state={{ from: pathname + search }}>
          {t`Sign in and confirm`}
        </LinkButton>
        <p>
          <Trans>
            You did not register? Another person used your address.{' '}
            <AppLink to="/auth/forgot" className="link">
              Choose a new password
            </AppLink>{' '}
            and the account is yours; they are signed out.
          </Trans>
        </p>
      </div>
    </>
  )
}

function Verify({ token }: { token: string }) {
  const [state, setState] = useState<'asked' | 'busy' | 'done'>('asked')
  const [failure, setFailure] = useState<Failure | null>(null)
  const thanks = useRef<HTMLParagraphElement>(null)
  // The button is gone: the result gets the focus.
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
              sentence: t`This link has been used, has expired, is incomplete, or is for another account.`,
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
            {t`Thank you, your address is confirmed.`}
          </p>
        ) : (
          <p className="text-soft">{t`Press Confirm to confirm that this address is yours.`}</p>
        )}
      </div>
      <div className="mt-8 grid gap-5">
        {state === 'done' ? (
          <LinkButton to="/">{t`Go to the home page`}</LinkButton>
        ) : (
          <Button busy={state === 'busy'} onClick={verify}>
            {state === 'busy' ? t`Confirming…` : t`Confirm`}
          </Button>
        )}
        <FormFailure failure={failure} />
      </div>
    </>
  )
}
