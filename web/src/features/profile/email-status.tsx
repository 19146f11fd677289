import { useState } from 'react'
import { Badge, Button, alertBox } from '@/components/ui'
import { useResource } from '@/lib/cache'
import { explain } from '@/lib/problem'
import { accountKey, askForVerification, fetchAccount } from './api'

/** Whether the address is verified, and the mail that does it. */
export function EmailStatus() {
  const { data: account } = useResource(accountKey, fetchAccount)
  const [sent, setSent] = useState(false)
  const [busy, setBusy] = useState(false)
  if (!account) return null
  if (account.emailVerified) return <Badge tone="success">Verified</Badge>

  async function send() {
    setBusy(true)
    try {
      await askForVerification()
      setSent(true)
    } catch (error) {
      void alertBox({ title: 'Error', text: explain(error), error: true })
    } finally {
      setBusy(false)
    }
  }

  return (
    <div role="status" className="mt-1 flex flex-wrap items-center gap-3 text-sm">
      <Badge tone="warning">Not verified</Badge>
      {sent ? (
        <span>The mail is on its way.</span>
      ) : (
        <Button variant="quiet" size="sm" busy={busy} onClick={() => void send()}>
          Send the verification mail
        </Button>
      )}
    </div>
  )
}
