import { t } from '@lingui/core/macro'
import { isPlain, settlePlainly } from '../grade-model/plain'
import { settle, type Scale } from '../grade-model/settle'

/** A receipt as internal/receipt signs it; docs/receipts.md describes the format. */
export interface Receipt {
  by: string
  day: string
  estimate?: number
  high?: number
  key: string
  low?: number
  mark: number
  /** Absent if the creator set the mark. */
  model?: string
  n: number
  reviews: { label: string; mark: number; strictness: number; weight: number }[]
  scale?: Scale
  server: string
  signature: string
  submission: string
  total: number
  version: number
}

/** What a server publishes. */
export interface PublicKeys {
  keys: { id: string; algorithm: string; public: string }[]
}

/** Why a receipt is refused. */
export class ReceiptError extends Error {}

/** Returns the receipt if one of the keys signed it and its reviews make its mark; throws a ReceiptError. */
export async function verify(bytes: BufferSource, { keys }: PublicKeys): Promise<Receipt> {
  const { text, receipt } = parse(bytes)
  if (canonical(receipt) !== text) throw new ReceiptError(t`This receipt was changed after it was signed.`)
  const key = keys.find(({ id }) => id === receipt.key)
  if (key?.algorithm !== 'Ed25519') throw new ReceiptError(t`None of the server’s keys signed this receipt.`)
  const { signature, ...signed } = receipt
  if (!/^[\w-]{85}[AQgw]$/.test(signature))
    throw new ReceiptError(t`This receipt was changed after it was signed.`)
  const publicKey = await crypto.subtle.importKey('raw', decode(key.public), 'Ed25519', false, ['verify'])
  const message = new TextEncoder().encode(canonical(signed))
  if (!(await crypto.subtle.verify('Ed25519', publicKey, decode(signature), message)))
    throw new ReceiptError(t`The signature does not match the receipt.`)
  if (receipt.model !== undefined && !makesItsMark(receipt, receipt.model))
    throw new ReceiptError(t`The reviews do not give this mark.`)
  return receipt
}

function parse(bytes: BufferSource): { text: string; receipt: Receipt } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    const receipt = JSON.parse(text) as Receipt | null
    if (typeof receipt === 'object' && receipt) return { text, receipt }
  } catch {
    // It is not JSON, and no receipt either.
  }
  throw new ReceiptError(t`This is not a receipt.`)
}

/** RFC 8785: members in the order of their names; JSON.stringify writes numbers and texts as it wants. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

const decode = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.codePointAt(0) ?? 0)

const rounded = (x: number) => Math.floor(x * 1e4 + 0.5) / 1e4

/** Mean and median have no interval: their receipts give it as 0. */
function makesItsMark({ total, reviews, scale, mark, estimate, low, high }: Receipt, model: string): boolean {
  if (!scale || reviews.length === 0) return false
  const made = isPlain(model)
    ? {
        low: 0,
        high: 0,
        ...settlePlainly(
          model,
          reviews.map((review) => review.mark),
        ),
      }
    : settle({ model, total, ...scale, reviews })
  return (
    made.mark === mark &&
    rounded(made.estimate) === estimate &&
    rounded(made.low) === low &&
    rounded(made.high) === high
  )
}
