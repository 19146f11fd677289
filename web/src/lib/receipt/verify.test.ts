import { expect, test } from 'vitest'
import { ReceiptError, verify, type PublicKeys } from './verify'

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
