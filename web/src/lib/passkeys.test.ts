import { afterEach, expect, test, vi } from 'vitest'
import { createPasskey, askForPasskey } from './passkeys'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const creation = {
  rp: { id: 'localhost', name: 'StudyCircle' },
  user: { id: '_-8', name: 'ada@example.org', displayName: 'Ada' },
  challenge: 'AAEC',
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  excludeCredentials: [{ type: 'public-key', id: 'BAUG' }],
}
const bytes = (...numbers: number[]) => Uint8Array.from(numbers)

/** A credential of a browser that is older than its JSON form. */
function oldCredential() {
  return {
    id: '-_8',
    rawId: bytes(251, 255).buffer,
    type: 'public-key',
    authenticatorAttachment: 'platform',
    response: { clientDataJSON: bytes(1).buffer, signature: bytes(2, 3).buffer, userHandle: null },
    getClientExtensionResults: () => ({}),
  } as unknown as Credential
}

test.each([
  ['parses itself', false],
  ['is older than that', true],
])('options become bytes in a browser that %s', async (_, older) => {
  if (older) vi.stubGlobal('PublicKeyCredential', {})
  const create = vi.spyOn(navigator.credentials, 'create').mockResolvedValue(oldCredential())
  await createPasskey(creation)
  const asked = create.mock.calls[0]?.[0]?.publicKey
  const of = (source?: BufferSource) => Array.from(new Uint8Array(source as ArrayBuffer))
  expect(of(asked?.challenge)).toEqual([0, 1, 2])
  expect(of(asked?.user.id)).toEqual([255, 239])
  expect(of(asked?.excludeCredentials?.[0]?.id)).toEqual([4, 5, 6])
  expect(asked?.rp.id).toBe('localhost')
})

test('a credential without a JSON form of its own gets one', async () => {
  vi.stubGlobal('PublicKeyCredential', {})
  const get = vi.spyOn(navigator.credentials, 'get').mockResolvedValue(oldCredential())
  const { signal } = new AbortController()
  const sent = await askForPasskey({ challenge: 'AAEC' }, { signal, conditional: true })
  expect(get.mock.calls[0]?.[0]).toMatchObject({ mediation: 'conditional', signal })
  expect(sent).toMatchObject({
    id: '-_8',
    rawId: '-_8',
    type: 'public-key',
    response: { clientDataJSON: 'AQ', signature: 'AgM' },
  })
})

test.each([
  ['NotAllowedError', 'cancelled'],
  ['InvalidStateError', 'already'],
  ['UnknownError', 'did not work'],
])('%s of the browser is told in words', async (name, word) => {
  vi.spyOn(navigator.credentials, 'create').mockRejectedValue(new DOMException('no', name))
  await expect(createPasskey(creation)).rejects.toMatchObject({
    name: 'PasskeyFailure',
    message: expect.stringContaining(word) as string,
  })
})

test('a ceremony that the page ended itself stays that', async () => {
  vi.spyOn(navigator.credentials, 'get').mockRejectedValue(new DOMException('over', 'AbortError'))
  const { signal } = new AbortController()
  await expect(askForPasskey({ challenge: 'AAEC' }, { signal })).rejects.toMatchObject({ name: 'AbortError' })
})
