import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { Button, CheckIcon } from '@/components/ui'
import { explain } from '@/lib/problem'
import { save } from '@/lib/save'
import { fetchReceipt, fetchReceiptKeys } from '@/entities/review/queries'

type State = { busy: boolean; valid?: boolean; text?: string }

/** The receipt of a mark: to keep, and to check here. */
export default function ReceiptPart({ submissionId }: { submissionId: string }) {
  const [{ busy, valid, text }, setState] = useState<State>({ busy: false })

  async function attempt(work: () => Promise<Omit<State, 'busy'>>) {
    setState({ busy: true })
    const done = await work().catch((error: unknown) => ({ valid: false, text: explain(error) }))
    setState({ busy: false, ...done })
  }

  const keep = () =>
    attempt(async () => {
      save(new Blob([await fetchReceipt(submissionId)], { type: 'application/json' }), 'receipt.json')
      return {}
    })

  const check = () =>
    attempt(async () => {
      const [receipt, keys, { ReceiptError, verify }] = await Promise.all([
        fetchReceipt(submissionId),
        fetchReceiptKeys(),
        import('@/lib/receipt/verify'),
      ])
      try {
        const { mark, total } = await verify(receipt, keys)
        return { valid: true, text: t`The receipt is valid: signed by this server, ${mark} of ${total}.` }
      } catch (error) {
        if (error instanceof ReceiptError) return { valid: false, text: error.message }
        return { valid: false, text: t`This browser cannot check Ed25519 signatures.` }
      }
    })

  return (
    <section aria-labelledby="receipt-heading" className="grid gap-4">
      <h2 id="receipt-heading">{t`Receipt`}</h2>
      <p className="max-w-prose text-soft">
        <Trans>
          The mark and what it was calculated from, signed by this server. Anyone can check it later, without
          the server.
        </Trans>
      </p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <Button variant="quiet" disabled={busy} onClick={() => keep()}>
          {t`Save the receipt`}
        </Button>
        <Button variant="quiet" disabled={busy} onClick={() => check()}>
          {t`Check the receipt`}
        </Button>
        <p role="status" className={valid ? 'text-leaf' : 'text-red'}>
          {text && (
            <span className="inline-flex items-center gap-2 font-semibold">
              {valid && <CheckIcon done />}
              {text}
            </span>
          )}
        </p>
      </div>
    </section>
  )
}
