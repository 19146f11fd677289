import { expect, test } from 'vitest'
import { ReceiptError, verify, type PublicKeys, type Receipt } from './verify'

/** The receipts of internal/receipt, one a line below the keys; make drill-receipts adds a file of many. */
const files = import.meta.glob<string>('../../../../internal/receipt/testdata/*.txt', {
  query: '?raw',
  import: 'default',
})
const encoder = new TextEncoder()

test.each(Object.entries(files))('receipts in %s are valid, and none with a flipped bit', async (_, load) => {
  const [keysText = '', ...receipts] = (await load()).trim().split('\n')
  const keys = JSON.parse(keysText) as PublicKeys
  expect(receipts.length).toBeGreaterThan(100)
  for (const [at, text] of receipts.entries()) {
    const bytes = encoder.encode(text)
    await verify(bytes, keys)
    // Another bit of another byte in each receipt.
    const index = (at * 31) % bytes.length
    bytes[index] = (bytes[index] ?? 0) ^ (1 << (at % 7))
    await expect(verify(bytes, keys), text).rejects.toThrow(ReceiptError)
    await expect(verify(encoder.encode(text.slice(0, index)), keys)).rejects.toThrow(ReceiptError)
  }
})

test('a receipt of another server is refused', async () => {
  const [load] = Object.values(files)
  const [keysText = '', receipt = ''] = ((await load?.()) ?? '').split('\n')
  const { keys } = JSON.parse(keysText) as PublicKeys
  const bytes = encoder.encode(receipt)
  await expect(verify(bytes, { keys: [] })).rejects.toThrow('None of the server’s keys')
  const other = keys.map((key) => ({ ...key, id: (JSON.parse(receipt) as { key: string }).key }))
  await expect(verify(bytes, { keys: other.slice(-1) })).rejects.toThrow('signature')
})

test('a receipt with a figure that its reviews do not give is refused', async () => {
  const pair = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])
  const publicKey = await crypto.subtle.exportKey('raw', pair.publicKey)
  const keys = [{ id: 'k', algorithm: 'Ed25519', public: base64(publicKey) }]
  const [load] = Object.values(files)
  const receipts = ((await load?.()) ?? '').trim().split('\n').slice(1)
  const chosen = receipts.find((text) => ((JSON.parse(text) as Receipt).high ?? 0) > 0) ?? ''
  const { signature: _, ...receipt } = JSON.parse(chosen) as Receipt
  const signed = async (change: Partial<Receipt>) => {
    const unsigned = { ...receipt, key: 'k', ...change }
    const bytes = await crypto.subtle.sign('Ed25519', pair.privateKey, encoder.encode(sorted(unsigned)))
    return encoder.encode(sorted({ ...unsigned, signature: base64(bytes) }))
  }
  await verify(await signed({}), { keys })
  for (const figure of ['mark', 'estimate', 'low', 'high'] as const) {
    const wrong = await signed({ [figure]: (receipt[figure] ?? 0) + 1 })
    await expect(verify(wrong, { keys }), figure).rejects.toThrow('do not give this mark')
  }
})

/** Members of members are in order already. */
const sorted = (receipt: object) =>
  JSON.stringify(Object.fromEntries(Object.entries(receipt).toSorted(([a], [b]) => (a < b ? -1 : 1))))

const base64 = (bytes: ArrayBuffer) =>
  btoa(String.fromCodePoint(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
