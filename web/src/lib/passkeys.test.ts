import { afterEach, expect, test, vi } from 'vitest'
import { createPasskey, askForPasskey } from './passkeys'

afterEach(() => {
  vi.restoreAllMocks()
  document.body.replaceChildren()
})

const creation = {
  rp: { id: 'localhost', name: 'StudyCircle' },
  user: { id: '_-8', name: 'ada@example.org', displayName: 'Ada' },
  challenge: 'AAEC',
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  excludeCredentials: [{ type: 'public-key', id: 'BAUG' }],
}
const bytes = (...numbers: number[]) => Uint8Array.from(numbers).buffer

const chosen = {
  id: '-_8',
  rawId: bytes(251, 255),
  type: 'public-key',
  authenticatorAttachment: 'platform',
  response: {
    clientDataJSON: bytes(1),
    signature: bytes(2, 3),
    authenticatorData: bytes(4),
    attestationObject: bytes(5),
    userHandle: null,
  },
  getClientExtensionResults: () => ({}),
} as unknown as Credential

/** A field among whose suggestions the browser offers passkeys. */
function showEmailField() {
  const field = document.createElement('input')
  field.setAttribute('autocomplete', 'username webauthn')
  document.body.append(field)
}

test('the options of a new passkey reach the browser as bytes', async () => {
  const create = vi.spyOn(navigator.credentials, 'create').mockResolvedValue(chosen)
  await createPasskey(creation)
  const asked = create.mock.calls[0]?.[0]?.publicKey
  const of = (source?: BufferSource) => Array.from(new Uint8Array(source as ArrayBuffer))
  expect(of(asked?.challenge)).toEqual([0, 1, 2])
  expect(of(asked?.user.id)).toEqual([255, 239])
  expect(of(asked?.excludeCredentials?.[0]?.id)).toEqual([4, 5, 6])
  expect(asked?.rp.id).toBe('localhost')
})

test('a passkey from the suggestions is sent as JSON', async () => {
  showEmailField()
  const get = vi.spyOn(navigator.credentials, 'get').mockResolvedValue(chosen)
  const { signal } = new AbortController()
  const sent = await askForPasskey({ challenge: 'AAEC' }, { signal, conditional: true })
  expect(get.mock.calls[0]?.[0]).toMatchObject({ mediation: 'conditional' })
  expect(sent).toMatchObject({
    id: '-_8',
    rawId: '-_8',
    type: 'public-key',
    response: { clientDataJSON: 'AQ', signature: 'AgM' },
  })
})

test.each([
  ['NotAllowedError', 'canceled'],
  ['InvalidStateError', 'already'],
  ['SecurityError', 'at this address'],
  ['UnknownError', 'did not work'],
])('%s of the browser is explained in words', async (name, word) => {
  vi.spyOn(navigator.credentials, 'create').mockRejectedValue(new DOMException('no', name))
  await expect(createPasskey(creation)).rejects.toMatchObject({
    name: 'PasskeyFailure',
    message: expect.stringContaining(word) as string,
  })
})

test('aborting the signal ends the ceremony with an AbortError', async () => {
  vi.spyOn(navigator.credentials, 'get').mockImplementation(
    (options) =>
      new Promise((_, reject) => {
        options?.signal?.addEventListener('abort', () => reject(options.signal?.reason as Error))
      }),
  )
  const controller = new AbortController()
  const asked = askForPasskey({ challenge: 'AAEC' }, { signal: controller.signal })
  controller.abort()
  await expect(asked).rejects.toMatchObject({ name: 'AbortError' })
})
