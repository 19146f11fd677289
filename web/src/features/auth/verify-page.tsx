import { useState } from 'react'
import { Button, type Failure, FormFailure, LinkButton } from '@/components/ui'
import { explain, isProblem } from '@/lib/problem'
import { useBrand } from '@/lib/site'
import { useTitle } from '@/lib/use-title'
import { verifyEmail } from './api'

/**
 * Where the mailed link leads. A button verifies, not the visit: mail programs open links by themselves, and
 * the link works once.
 */
export function VerifyPage({ token }: { token: string }) {
  useTitle(`Confirm your e-mail address | ${useBrand()}`)
  const [state, setState] = useState<'asked' | 'busy' | 'done'>('asked')
  const [failure, setFailure] = useState<Failure | null>(null)

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
          ? { code: error.code, sentence: 'This link was used before, is too old, or is not complete.' }
          : { sentence: explain(error) },
      )
    }
  }

  return (
    <>
      <h1 tabIndex={-1}>Confirm your e-mail address</h1>
      <div role="status" className="mt-4">
        {state === 'done' ? (
          <p>Thank you, your address is confirmed.</p>
        ) : (
          <p className="text-soft">Then mails beyond a forgotten password can reach you.</p>
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
